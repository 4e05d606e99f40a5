"""Scenes: discovery, running them over their parameters, validation, and encoding for the player."""
