"""A scene: what the models of these pages say, and what a GPU did."""
