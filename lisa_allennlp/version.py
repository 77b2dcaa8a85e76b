"""The package's version, without any imports."""

VERSION = "0.23.0"
