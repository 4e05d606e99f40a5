"""For the author at work: a server that follows edits, and what begins a page, a scene or a site."""
