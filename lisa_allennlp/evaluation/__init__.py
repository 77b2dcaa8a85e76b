"""How a corpus is evaluated."""
