"""Loom: explorable explanations from Markdown, Jinja and numpy."""

__version__ = "0.1.0"
