"""The site as a whole: its index of pages, terms and sources, and cross-references resolved against it."""
