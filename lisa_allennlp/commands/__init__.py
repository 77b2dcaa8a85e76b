"""Commands of `lisa` (and of `allennlp`, where the plug-in is loaded)."""

from lisa_allennlp.commands.evaluate import LisaEvaluate
from lisa_allennlp.commands.label import Label
from lisa_allennlp.commands.predict import LisaPredict
from lisa_allennlp.commands.prepare import Prepare

__all__ = ["Label", "LisaEvaluate", "LisaPredict", "Prepare"]
