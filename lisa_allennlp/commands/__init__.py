"""
The commands `label`, `predict`, `evaluate`, `score`, `compare`, `analyze`, `convert`, `train`,
`export`, `models` and `prepare`. `lisa` has them, and so has `allennlp` if the plug-in is loaded.
`predict`, `evaluate` and `train` replace AllenNLP's commands.
"""

from lisa_allennlp.commands.analyze import Analyze
from lisa_allennlp.commands.compare import Compare
from lisa_allennlp.commands.convert import Convert
from lisa_allennlp.commands.evaluate import LisaEvaluate
from lisa_allennlp.commands.export import Export
from lisa_allennlp.commands.label import Label
from lisa_allennlp.commands.models import Models
from lisa_allennlp.commands.predict import LisaPredict
from lisa_allennlp.commands.prepare import Prepare
from lisa_allennlp.commands.score import Score
from lisa_allennlp.commands.train import LisaTrain

__all__ = [
    "Analyze",
    "Compare",
    "Convert",
    "Export",
    "Label",
    "LisaEvaluate",
    "LisaPredict",
    "LisaTrain",
    "Models",
    "Prepare",
    "Score",
]
