"""
The layers of the networks, each of which can be read, tested and timed alone.
"""
