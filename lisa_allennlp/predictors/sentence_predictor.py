"""What the predictors of single sentences share: how a sentence is given to them."""

import json
from typing import Any, List, Sequence

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader
from allennlp.models import Model
from allennlp.predictors.predictor import Predictor

from lisa_allennlp.data.tokenizers.blank_spacy import BlankSpacyTokenizer


class SentencePredictor(Predictor):
    """
    A predictor whose input is a JSON object with either `sentence`, a string to tokenise, or
    `tokens`, a list of words. Subclasses implement `predict_batch_json`.

    # Parameters

    model : `Model`
    dataset_reader : `DatasetReader`
    language : `str`, optional (default = `"en"`)
        The language whose tokenisation rules are used for `sentence`.
    """

    def __init__(self, model: Model, dataset_reader: DatasetReader, language: str = "en") -> None:
        super().__init__(model, dataset_reader)
        self._tokenizer = BlankSpacyTokenizer(language)

    def predict(self, sentence: str) -> JsonDict:
        """
        # Parameters

        sentence : `str`
            Raw text.

        # Returns

        `JsonDict`
            The labelled sentence.
        """
        return self.predict_json({"sentence": sentence})

    def predict_tokenized(self, tokens: Sequence[str]) -> JsonDict:
        """Labels a sentence that is already split into words."""
        return self.predict_json({"tokens": list(tokens)})

    def predict_json(self, inputs: JsonDict) -> JsonDict:
        return self.predict_batch_json([inputs])[0]

    def load_line(self, line: str) -> JsonDict:
        try:
            return json.loads(line)
        except json.JSONDecodeError as error:
            raise ConfigurationError(
                f"cannot read this input line as JSON ({error.msg} at character {error.pos}): "
                f'{_shorten(line)}; expected for example {{"sentence": "She saw him ."}}'
            ) from error

    def _words(self, json_dict: Any) -> List[str]:
        """
        # Returns

        `List[str]`
            The words of an input, none for an empty sentence.

        # Raises

        `ConfigurationError`
            If it has neither or both of `sentence` and `tokens`, or they are of another type.
        """
        if not isinstance(json_dict, dict):
            raise bad_input("the input", json_dict, "a JSON object with `sentence` or `tokens`")
        if ("sentence" in json_dict) == ("tokens" in json_dict):
            raise bad_input("the input", json_dict, "either `sentence` or `tokens`")
        if "sentence" in json_dict:
            sentence = json_dict["sentence"]
            if not isinstance(sentence, str):
                raise bad_input("`sentence`", sentence, "a string")
            return [str(token) for token in self._tokenizer.tokenize(sentence)]
        tokens = json_dict["tokens"]
        if not isinstance(tokens, list) or not all(isinstance(t, str) and t for t in tokens):
            raise bad_input("`tokens`", tokens, "a list of non-empty strings")
        return tokens


def bad_input(what: str, found: Any, expected: str) -> ConfigurationError:
    """The error for a part of an input, with the value that was found."""
    return ConfigurationError(
        f"{what}: found {_shorten(json.dumps(found, ensure_ascii=False))}; expected {expected}"
    )


def _shorten(text: str, limit: int = 200) -> str:
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 3] + "..."
