"""The base class of predictors, which read and write JSON."""

from typing import Any, List, Optional, Sequence, cast

from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model
from allennlp.predictors.predictor import Predictor

from lisa_allennlp.data.document import SENTENCES, Document
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.groups import items_to_label
from lisa_allennlp.labelling.loading import make_labeller
from lisa_allennlp.labelling.requests import read_json_line
from lisa_allennlp.labelling.writing import output_writer
from lisa_allennlp.predictors.engines import AllennlpEngine
from lisa_allennlp.predictors.loading import make_engine


class SentencePredictor(Predictor):
    """
    A predictor that passes its input to the labeller with the same registered name. The model and
    the reader are not changed.

    >>> import lisa_allennlp.plugin
    >>> from allennlp.common import Params
    >>> from allennlp.data import Vocabulary
    >>> embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}}
    >>> config = {
    ...     "type": "ccg_supertagger",
    ...     "text_field_embedder": embedder,
    ...     "encoder": {"type": "pass_through", "input_dim": 8},
    ... }
    >>> vocab = Vocabulary(tokens_to_add={"supertag_labels": ["N"]})
    >>> model = Model.from_params(Params(config), vocab=vocab).eval()
    >>> reader = DatasetReader.by_name("ccgbank_supertags")()
    >>> predictor = Predictor.by_name("ccg_supertagger")(model, reader)
    >>> predictor.predict_json({"tokens": ["Rain"], "id": 7})
    {'id': 7, 'words': ['Rain'], 'supertags': ['N']}

    # Parameters

    model : `Model`
    dataset_reader : `DatasetReader`
    output_format : `str`, optional (default = the first of the labeller's `output_formats`)
        The format of the lines that `dump_line` writes.
    **options
        Options of the labeller.

    # Raises

    `ConfigurationError`
        If the format or an option is unknown.
    `InputError`
        In prediction, if an input is invalid or cannot be labelled.
    """

    labeller_name: str

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        output_format: Optional[str] = None,
        max_tokens: int = 2000,
        **options: Any,
    ) -> None:
        super().__init__(model, dataset_reader)
        self.engine: AllennlpEngine = make_engine(model, dataset_reader, max_tokens)
        self.labeller = make_labeller(self.labeller_name, self.engine, options)
        self._write = output_writer(self.labeller, output_format)

    def load_line(self, line: str) -> JsonDict:
        return read_json_line(line.encode("utf-8", "surrogatepass"))

    def dump_line(self, outputs: JsonDict) -> str:
        is_of_document = SENTENCES in outputs
        return self._write((Document if is_of_document else Sentence).from_dict(outputs))

    def predict(self, sentence: str) -> JsonDict:
        """Labels a sentence of raw text."""
        return self.predict_json({"sentence": sentence})

    def predict_tokenized(self, tokens: Sequence[str]) -> JsonDict:
        """Labels a tokenised sentence."""
        return self.predict_json({"tokens": list(tokens)})

    def predict_json(self, inputs: JsonDict) -> JsonDict:
        labeller = self.labeller
        return labeller.label_one(labeller.read_any, labeller.label_any, inputs).to_dict()

    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        labeller = self.labeller
        answers = labeller.stream(
            items_to_label(inputs, "raise"),
            labeller.read_any,
            labeller.label_any,
            lambda answer, _: answer.to_dict(),
            group_size=max(1, len(inputs)),
            processes=1,
            stops=True,
        )
        return cast(List[JsonDict], list(answers))

    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        requests = [self.engine.request(instance) for instance in instances]
        return [sentence.to_dict() for sentence in self.labeller.label(requests)]

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        request = self.labeller.read(json_dict)
        return self.engine.instance(request.sentence, request.sentence.pos)
