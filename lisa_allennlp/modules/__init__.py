"""The networks' layers. Each can be read, tested and timed alone."""
