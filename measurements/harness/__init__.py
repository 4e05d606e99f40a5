"""What every measurement shares: how it is described, built, run, counted and written down."""
