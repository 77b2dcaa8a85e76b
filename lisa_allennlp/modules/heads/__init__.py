"""Layers that read the encoder's states: joint tagger, predicates, arc labels and roles."""
