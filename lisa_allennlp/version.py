"""The package's version, without any imports."""

VERSION = "0.20.0"
