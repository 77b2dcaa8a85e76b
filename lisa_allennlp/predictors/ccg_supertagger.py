"""From a line of JSON to a supertagged sentence."""

import json
from typing import Any, Iterator, List, Optional, Sequence

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import MetadataField
from allennlp.models import Model
from allennlp.predictors.predictor import Predictor

from lisa_allennlp.data.formats.ccg.pipes import format_multitags, format_pipes
from lisa_allennlp.data.formats.tokens import escape_token
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.batches import predict_groups
from lisa_allennlp.predictors.sentence_predictor import SentencePredictor, bad_input

OUTPUT_FORMATS = ("json", "pipes", "multitags")


@Predictor.register("ccg_supertagger")
class CcgSupertaggerPredictor(SentencePredictor):
    """
    Supertags sentences. The input is a JSON object with `sentence`, a string to tokenise, or
    `tokens`, a list of words, and perhaps `pos`, a list of tags that only go into the output. The
    output has `words`, `pos` if given, `supertags`, and, with `beta`, `candidates`: for each word
    the list of its `[category, probability]` from the best one down to the cut-off.

    Options of the command line's `predict` are given as in `--predictor-args '{"beta": 0.01}'`.

    # Parameters

    model : `Model`
        A `ccg_supertagger`.
    dataset_reader : `DatasetReader`
        A `ccgbank_supertags`, whose indexers are used.
    beta : `float`, optional (default = `None`)
        Gives several categories a word: those whose probability is at least `beta` times that of
        the best one.
    output_format : `str`, optional (default = `"json"`)
        How `dump_line` writes a sentence: `json`; `pipes`, the line `word|POS|category ...` of the
        C&C tools; or `multitags`, all categories of each word as the C&C parser reads them.
    language : `str`, optional (default = `"en"`)
        The language whose tokenisation rules are used for `sentence`.
    batch_size : `int`, optional (default = `64`)
        Of the sentences given at once, so many of similar length go through the network together.
        Answers keep the order of the input.

    # Raises

    `ConfigurationError`
        If an option or, in predicting, an input is not as described here.
    """

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        beta: Optional[float] = None,
        output_format: str = "json",
        language: str = "en",
        batch_size: int = 64,
    ) -> None:
        super().__init__(model, dataset_reader, language)
        if output_format not in OUTPUT_FORMATS:
            raise ConfigurationError(
                f"output_format is '{output_format}'; expected one of {', '.join(OUTPUT_FORMATS)}"
            )
        self._output_format = output_format
        # Predicting one category a word is to cost no more than that.
        model.beta = 1.0 if beta is None else beta  # type: ignore[assignment]
        self._has_beta = beta is not None
        self._batch_size = batch_size

    @property
    def writes_json(self) -> bool:
        """Whether `dump_line` writes a line of JSON."""
        return self._output_format == "json"

    def dump_line(self, outputs: JsonDict) -> str:
        if self._output_format == "json":
            return json.dumps(outputs, ensure_ascii=False) + "\n"
        sentence = Sentence(outputs["words"], outputs.get("pos"), supertags=outputs["supertags"])
        if self._output_format == "pipes":
            return format_pipes(sentence) + "\n"
        ranked = outputs.get("candidates")
        if ranked is None:
            raise ConfigurationError("output_format 'multitags' needs `beta` beside it")
        return format_multitags(sentence, ranked) + "\n"

    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        return self._predict([self._sentence(json_dict) for json_dict in inputs])

    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        return self._predict([_sentence_of(instance) for instance in instances])

    def _predict(self, sentences: Sequence[Sentence]) -> List[JsonDict]:
        outputs = predict_groups(
            self._model,
            _groups_of_similar_length(sentences, self._batch_size),
            lambda group: self._model.forward_on_instances(
                [self._instance(sentences[position]) for position in group]
            ),
        )
        return [
            self._describe(sentence, outputs.get(position, {}))
            for position, sentence in enumerate(sentences)
        ]

    def _describe(self, sentence: Sentence, output: JsonDict) -> JsonDict:
        described: JsonDict = {"words": sentence.words}
        if sentence.pos is not None:
            described["pos"] = sentence.pos
        described["supertags"] = output.get("supertags", [])
        if self._has_beta:
            described["candidates"] = output.get("candidates", [])
        return described

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        return self._instance(self._sentence(json_dict))

    def _instance(self, sentence: Sentence) -> Instance:
        # The treebanks write brackets as -LRB- and so on; the answer shows the user's own words.
        words = [escape_token(word) for word in sentence.words]
        instance = self._dataset_reader.text_to_instance(Sentence(words))
        self._dataset_reader.apply_token_indexers(instance)
        return instance

    def _sentence(self, json_dict: JsonDict) -> Sentence:
        words = self._words(json_dict)
        if not all(map(_is_text, words)):
            raise bad_input("the words", words, "Unicode text, without halves of surrogate pairs")
        pos = json_dict.get("pos")
        if pos is not None and (not _is_list_of_strings(pos) or len(pos) != len(words)):
            raise bad_input("`pos`", pos, f"a tag for each of the {len(words)} tokens")
        return Sentence(words, pos)


def _groups_of_similar_length(
    sentences: Sequence[Sentence], batch_size: int
) -> Iterator[List[int]]:
    """The sentences' positions, but for empty ones: those have no tensors and need no model."""
    lengths = [len(sentence.words) for sentence in sentences]
    positions = sorted(filter(lengths.__getitem__, range(len(lengths))), key=lengths.__getitem__)
    for start in range(0, len(positions), batch_size):
        yield positions[start : start + batch_size]


def _sentence_of(instance: Instance) -> Sentence:
    metadata = instance["metadata"]
    assert isinstance(metadata, MetadataField)
    return metadata["sentence"]


def _is_list_of_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and item for item in value)


def _is_text(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True
