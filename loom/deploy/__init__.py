"""What a deployed site has besides its pages."""
