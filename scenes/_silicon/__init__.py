"""What real GPUs did: the results in `measurements/`, for scenes to draw over their models."""
