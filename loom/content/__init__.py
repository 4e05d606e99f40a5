"""Reading what an author writes: pages, records, settings; and the blocks of a parsed page."""
