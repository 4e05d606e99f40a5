"""From Markdown to a page: the dialect, and reading it."""
