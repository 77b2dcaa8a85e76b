"""An evaluator that writes predictions in the order of the corpus."""

from os import PathLike
from pathlib import Path
from typing import Any, Dict, Optional, Union

from allennlp.data import DataLoader
from allennlp.evaluation import Evaluator
from allennlp.evaluation.evaluator import SimpleEvaluator
from allennlp.models import Model

from lisa_allennlp.formats.json_lines import write_json_lines
from lisa_allennlp.sentence.sentence import Sentence


@Evaluator.register("corpus_order")
class CorpusOrderEvaluator(SimpleEvaluator):
    """
    AllenNLP's `simple` evaluator, except that it writes predictions as `lisa predict` does: one
    line of JSON per sentence, in the order of the corpus instead of the batches.

    The model's output must have `sentences`, as in all models of this package. The data loader must
    keep its instances and have no workers.
    """

    def __call__(
        self,
        model: Model,
        data_loader: DataLoader,
        batch_weight_key: Optional[str] = None,
        metrics_output_file: Optional[Union[str, PathLike]] = None,
        predictions_output_file: Optional[Union[str, PathLike]] = None,
    ) -> Dict[str, Any]:
        predicted: Dict[int, Sentence] = {}

        def collect(_: Model, args: Any, batch: Dict[str, Any], output: Dict[str, Any]) -> None:
            for item, sentence in zip(batch["metadata"], output["sentences"], strict=True):
                predicted[id(item["sentence"])] = sentence

        hook = model.register_forward_hook(collect, with_kwargs=True)
        try:
            scores = super().__call__(model, data_loader, batch_weight_key, metrics_output_file)
        finally:
            hook.remove()
        if predictions_output_file is not None:
            with Path(predictions_output_file).open("w", encoding="utf-8") as file:
                instances: Any = data_loader.iter_instances()
                gold = (instance["metadata"]["sentence"] for instance in instances)
                write_json_lines((predicted[id(sentence)] for sentence in gold), file)
        return scores
