"""The experiments of the papers, and what runs them."""
