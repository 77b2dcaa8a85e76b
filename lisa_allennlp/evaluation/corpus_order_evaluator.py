"""Scores of a corpus, and what was predicted, in the corpus's order."""

from os import PathLike
from pathlib import Path
from typing import Any, Dict, Optional, Union

from allennlp.data import DataLoader
from allennlp.evaluation import Evaluator
from allennlp.evaluation.evaluator import SimpleEvaluator
from allennlp.models import Model

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.writing import to_json


@Evaluator.register("corpus_order")
class CorpusOrderEvaluator(SimpleEvaluator):
    """
    AllenNLP's `simple` evaluator, which writes predictions as `lisa predict` does: a line of JSON
    for each sentence, in the order in which they stand in the corpus, however they were batched.

    It is for the models of this package, whose output has `sentences`, and for data loaders that
    keep their instances and have no workers.
    """

    def __call__(
        self,
        model: Model,
        data_loader: DataLoader,
        batch_weight_key: Optional[str] = None,
        metrics_output_file: Optional[Union[str, PathLike]] = None,
        predictions_output_file: Optional[Union[str, PathLike]] = None,
    ) -> Dict[str, Any]:
        """As AllenNLP's `Evaluator`."""
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
                for instance in data_loader.iter_instances():
                    gold = instance["metadata"]["sentence"]  # type: ignore[index]
                    file.write(to_json(predicted[id(gold)]))
        return scores
