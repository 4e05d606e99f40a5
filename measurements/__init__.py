"""What a real GPU does, beside what the models say: one folder per effect; `python measurements/run.py` runs them."""
