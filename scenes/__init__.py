"""The site's scenes, one folder each; copy one to begin another."""
