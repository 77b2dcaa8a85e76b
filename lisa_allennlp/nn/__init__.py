"""Initializers, and functions of tensors that the networks are built from."""
