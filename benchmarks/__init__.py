"""Measurements of speed and memory. Each module is a command: `python -m benchmarks.NAME`."""
