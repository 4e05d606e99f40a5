"""A scene: one matrix product by thirteen kernels, as it was expected and as a GPU did it."""
