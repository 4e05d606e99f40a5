"""What an author writes, read: pages, records, settings, and the blocks that a page is made of."""
