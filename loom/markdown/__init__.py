"""Parsing Markdown into pages."""
