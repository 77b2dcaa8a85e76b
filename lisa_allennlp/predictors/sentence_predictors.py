"""AllenNLP's predictors of the three models, which read and write JSON."""

from typing import Any, List, Optional, Sequence

from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model
from allennlp.predictors.predictor import Predictor

from lisa_allennlp.labelling.groups import items_to_label
from lisa_allennlp.labelling.loading import make_labeller
from lisa_allennlp.labelling.requests import check_sentence_length, read_json_line
from lisa_allennlp.labelling.writing import output_writer
from lisa_allennlp.models.engines import make_engine
from lisa_allennlp.sentence.document import SENTENCES, Document
from lisa_allennlp.sentence.sentence import Sentence


class SentencePredictor(Predictor):
    """
    Passes its input to the labeller with the same registered name. Model and reader do not change.

    # Parameters

    output_format : `str`, optional (default = the first of the labeller's `output_formats`)
        The format of the lines that `dump_line` writes.
    **options
        Options of the labeller.
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
        self.engine = make_engine(model, dataset_reader, max_tokens)
        self.labeller = make_labeller(self.labeller_name, self.engine, options)
        self._write = output_writer(self.labeller, output_format)

    def load_line(self, line: str) -> JsonDict:
        return read_json_line(line.encode("utf-8", "surrogatepass"))

    def dump_line(self, outputs: JsonDict) -> str:
        is_of_document = SENTENCES in outputs
        return self._write((Document if is_of_document else Sentence).from_dict(outputs))

    def predict(self, sentence: str) -> JsonDict:
        return self.predict_json({"sentence": sentence})

    def predict_tokenized(self, tokens: Sequence[str]) -> JsonDict:
        return self.predict_json({"tokens": list(tokens)})

    def predict_json(self, inputs: JsonDict) -> JsonDict:
        return self.labeller.label_one(inputs, self.labeller.read_any).to_dict()

    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        items, size = items_to_label(inputs, "raise"), max(1, len(inputs))
        answers = self.labeller.stream(items, self.labeller.read_any, group_size=size, processes=1)
        return [answer.to_dict() for answer in answers]

    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        requests = [self.engine.request(instance) for instance in instances]
        for request in requests:
            check_sentence_length(len(request.sentence.words))
        return [sentence.to_dict() for sentence in self.labeller.label(requests)]

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        request = self.labeller.read(json_dict)
        return self.engine.instance(request.sentence, request.sentence.pos)


@Predictor.register("lisa")
class LisaPredictor(SentencePredictor):
    """
    Labels sentences with a `lisa` model. `LisaLabeller` describes the input and the options,
    `Sentence.to_dict` the output.
    """

    labeller_name = "lisa"


@Predictor.register("conllu_parses")
class ConlluParsesPredictor(SentencePredictor):
    """
    Parses sentences with a `deep_biaffine_parser` and writes words, tags (as XPOS) and trees in
    CoNLL-U. LISA can inject these trees.

        lisa predict MODEL DATA.conllu --use-dataset-reader --output-file DATA.dm.conllu

    The input is a CoNLL-U file, in which trees are ignored and may be missing (`_`). Without
    `--use-dataset-reader` it is JSON lines, as described in `ParserLabeller`.
    """

    labeller_name = "conllu_parses"


@Predictor.register("ccg_supertagger")
class CcgSupertaggerPredictor(SentencePredictor):
    """
    Supertags sentences with a `ccg_supertagger`. `SupertagLabeller` describes the input and the
    options, `Sentence.to_dict` the output. Other output formats are `pipes`, a line
    `word|POS|category ...` as for the C&C tools, and `multitags`, all candidate categories of each
    word in the format of the C&C parser.
    """

    labeller_name = "ccg_supertagger"
