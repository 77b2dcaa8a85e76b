"""Makes the English models in the package."""
