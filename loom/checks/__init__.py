"""What `check` holds: rules for the author's text, and for the finished site."""
