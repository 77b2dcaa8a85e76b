"""Initial values of parameters."""
