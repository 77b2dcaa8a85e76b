"""
Asks a labelled corpus who did what to whom.

    from lisa_allennlp.apps.find import Corpus, Question

    corpus = Corpus("labelled")
    question = Question(senses=["return.02"], asked=["ARG1"])
    corpus.find(question, limit=5), corpus.number(question), corpus.count(question)

`understand("Customers return WHAT", lisa)` makes a question of an example.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lisa_allennlp.apps.find.corpus import Corpus, Count, Hit
    from lisa_allennlp.apps.find.example import understand
    from lisa_allennlp.apps.find.question import Question

__all__ = ["Corpus", "Count", "Hit", "Question", "understand"]

_MODULES = {"understand": "example", "Question": "question"}


def __getattr__(name: str) -> Any:
    """Imports late, so that `lisa find --help` does not wait for NumPy."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_MODULES.get(name, 'corpus')}")
    return getattr(module, name)
