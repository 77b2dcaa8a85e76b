"""
Asks a labelled corpus who did what to whom.

    from lisa_allennlp.apps.find import Corpus, Question

    corpus = Corpus("labelled")
    question = Question(senses=["return.02"], asked=["ARG1"])
    corpus.find(question, limit=5), corpus.number(question), corpus.count(question)

`understand("Customers return WHAT", lisa)` makes a question of an example.
"""

from lisa_allennlp.apps.find.corpus import Corpus, Count, Hit
from lisa_allennlp.apps.find.example import understand
from lisa_allennlp.apps.find.question import Question

__all__ = ["Corpus", "Count", "Hit", "Question", "understand"]
