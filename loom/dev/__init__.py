"""Tools for authors: a development server that follows edits, exports, and starters for pages, scenes and sites."""
