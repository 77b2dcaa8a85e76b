"""From sentences to a CoNLL-U file of predicted trees, which LISA can attend to."""

import io
import json
from typing import Any, List, cast

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import TextField
from allennlp.models import Model
from allennlp.predictors.predictor import Predictor

from lisa_allennlp.data.dataset_readers.conllu_parses import ConlluParsesReader
from lisa_allennlp.data.formats.columns import tree_from_columns
from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.batches import groups_of_similar_length, predict_groups


@Predictor.register("conllu_parses")
class ConlluParsesPredictor(Predictor):
    """
    Parses sentences and prints them in CoNLL-U, words, tags (as XPOS) and trees:

    ```
    lisa predict MODEL DATA.conllu --use-dataset-reader --output-file DATA.dm.conllu --silent
    ```

    The input is a CoNLL-U file as there, with trees (which do not matter) or without (`_`); or, a
    line each, JSON objects with `tokens` and `pos`, two lists of strings.

    # Parameters

    model : `Model`
        `deep_biaffine_parser`.
    dataset_reader : `DatasetReader`
        `conllu_parses`.
    max_tokens : `int`, optional (default = `2000`)
        Of the sentences given at once, those of similar length are parsed together, in batches of
        at most this many tokens with padding. The order of the sentences stays.
    """

    def __init__(self, model: Model, dataset_reader: DatasetReader, max_tokens: int = 2000) -> None:
        super().__init__(model, dataset_reader)
        self._max_tokens = max_tokens
        if not isinstance(dataset_reader, ConlluParsesReader):
            raise ConfigurationError(
                f"the dataset reader is a {type(dataset_reader).__name__}; expected one of type "
                "conllu_parses"
            )
        dataset_reader.requires_parses = False

    def load_line(self, line: str) -> JsonDict:
        try:
            return json.loads(line)
        except json.JSONDecodeError as error:
            raise ConfigurationError(
                f"cannot read this input line as JSON: {line.strip()[:80]!r}; expected for example "
                '{"tokens": ["Stop", "."], "pos": ["VB", "."]}, or with --use-dataset-reader a '
                "CoNLL-U file"
            ) from error

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        tokens, pos = _strings(json_dict, "tokens"), _strings(json_dict, "pos")
        if not tokens or len(tokens) != len(pos):
            raise ConfigurationError(
                f"found {len(tokens)} `tokens` and {len(pos)} `pos`; expected as many of each, and "
                "at least one"
            )
        return self._dataset_reader.text_to_instance(Sentence(tokens, pos))

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        lengths = [len(cast(TextField, instance["words"]).tokens) for instance in instances]
        predict_batch = super().predict_batch_instance
        predictions = predict_groups(
            self._model,
            groups_of_similar_length(lengths, self._max_tokens),
            lambda group: predict_batch([instances[position] for position in group]),
        )
        return [predictions[position] for position in range(len(instances))]

    def dump_line(self, outputs: JsonDict) -> str:
        """
        # Parameters

        outputs : `JsonDict`
            A prediction, with `words`, `pos`, `predicted_heads` (1-based, 0 for roots) and
            `predicted_dependencies`.

        # Returns

        `str`
            The lines of its sentence in CoNLL-U, with the blank one at the end.
        """
        words = outputs["words"]
        parse = tree_from_columns(
            "prediction",
            range(1, len(words) + 1),
            [str(head) for head in outputs["predicted_heads"]],
            outputs["predicted_dependencies"],
        )
        file = io.StringIO()
        write_conllu([Sentence(words, outputs.get("pos"), parse=parse)], file)
        return file.getvalue()


def _strings(json_dict: Any, key: str) -> List[str]:
    value = json_dict.get(key) if isinstance(json_dict, dict) else None
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise ConfigurationError(f"`{key}`: found {value!r}; expected a list of non-empty strings")
    return value
