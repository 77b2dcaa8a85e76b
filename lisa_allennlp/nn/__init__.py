"""Functions of tensors that the networks are built from."""
