"""Fills the tables and draws the figures of the papers: `lisa reproduce`."""
