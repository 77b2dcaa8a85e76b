"""What the predictors of this package share: JSON in, a labelled sentence, JSON out."""

from typing import Any, List, Optional, Sequence

from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model
from allennlp.predictors.predictor import Predictor

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import make_labeller
from lisa_allennlp.labelling.requests import read_json_line
from lisa_allennlp.labelling.writing import output_writer


class SentencePredictor(Predictor):
    """
    A predictor that hands its input to the labeller of the same registered name. Neither the model
    nor the reader is changed.

    # Parameters

    model : `Model`
    dataset_reader : `DatasetReader`
    output_format : `str`, optional (default = the first of the labeller's `output_formats`)
        How `dump_line` writes a sentence.
    **options
        Those of the labeller.

    # Raises

    `ConfigurationError`
        If there is no such format or option; in predicting, if an input is not as the labeller
        wants it.
    """

    labeller_name: str

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        output_format: Optional[str] = None,
        **options: Any,
    ) -> None:
        super().__init__(model, dataset_reader)
        self.labeller = make_labeller(self.labeller_name, model, dataset_reader, options)
        self._write = output_writer(self.labeller, output_format)

    def load_line(self, line: str) -> JsonDict:
        return read_json_line(line.encode("utf-8", "surrogatepass"))

    def dump_line(self, outputs: JsonDict) -> str:
        return self._write(Sentence.from_dict(outputs))

    def predict(self, sentence: str) -> JsonDict:
        """Labels a sentence of raw text."""
        return self.predict_json({"sentence": sentence})

    def predict_tokenized(self, tokens: Sequence[str]) -> JsonDict:
        """Labels a sentence that is already split into words."""
        return self.predict_json({"tokens": list(tokens)})

    def predict_json(self, inputs: JsonDict) -> JsonDict:
        return self.predict_batch_json([inputs])[0]

    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        requests = [self.labeller.read(json_dict) for json_dict in inputs]
        return [sentence.to_dict() for sentence in self.labeller.label(requests)]

    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        return [sentence.to_dict() for sentence in self.labeller.label_instances(instances)]

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        return self.labeller.instances(self.labeller.read(json_dict))[0]
