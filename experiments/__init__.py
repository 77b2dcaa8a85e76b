"""The experiments of the papers and the `reproduce` command that runs them, for a checkout only."""
