"""
LISA as a component of spaCy pipelines: `nlp.add_pipe("lisa")`. spaCy finds the component by an
entry point. Importing this package also defines `Doc._.frames` and `Token._.frame`, for programs
that only read saved Docs.

- `factory` makes the component from its config.
- `component` is the component.
- `annotation` turns a Doc into sentences to label, and sets their labels on the Doc.
- `frames` stores frames in a Doc and shows them as spaCy's tokens and spans.
- `saved_model` saves the component's model with its pipeline.
"""

from lisa_allennlp.spacy_component.frames import DocFrame

__all__ = ["DocFrame"]
