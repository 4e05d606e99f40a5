"""The rules of `check`: on the author's text, on finished pages, and on links."""
