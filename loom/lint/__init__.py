"""What `check` holds: the author's text, the finished pages, and the links between them."""
