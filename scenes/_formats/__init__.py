"""What the scenes about number formats share: scalar formats, integers with a scale, and blocks with a scale."""
