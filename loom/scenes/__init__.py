"""Scenes: found, run over their parameters, validated and encoded for the player."""
