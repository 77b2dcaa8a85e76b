"""
Scores of roles and trees, as the official scorers compute them.

`counts`, `propositions` and `conllx` define what is correct, for the metrics of training as for
the commands. An `Evaluation` is one measure's view of a prediction: its table, its JSON, and the
counts of each sentence (or document) for the paired `bootstrap`.
"""

from lisa_allennlp.scoring.bootstrap import Difference, difference_table, paired_bootstrap
from lisa_allennlp.scoring.conll05 import Conll05Evaluation
from lisa_allennlp.scoring.conll18 import Conll18Evaluation
from lisa_allennlp.scoring.conllx import ConllXEvaluation
from lisa_allennlp.scoring.counts import Counts, Evaluation, Ratio
from lisa_allennlp.scoring.measures import score
from lisa_allennlp.scoring.primesrl import PrimeSrlEvaluation

__all__ = [
    "Conll05Evaluation",
    "Conll18Evaluation",
    "ConllXEvaluation",
    "Counts",
    "Difference",
    "Evaluation",
    "PrimeSrlEvaluation",
    "Ratio",
    "difference_table",
    "paired_bootstrap",
    "score",
]
