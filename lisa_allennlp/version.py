"""The package's version, and nothing that would need importing."""

VERSION = "0.1.0"
