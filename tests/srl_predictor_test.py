"""The predictor for AllenNLP's users, against AllenNLP's own code with the same labels."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, List, Tuple

import pytest
from allennlp.data.tokenizers import Token
from allennlp_models.structured_prediction.predictors import srl
from spacy.tokens import Doc
from spacy.vocab import Vocab

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.srl_predictor import Predictor

SENTENCES = [
    "She sold him the car, and it was sold out again; it's dirty.",
    "",
    "A dog.",
    "The man who I said had slept didn't (really) leave.",
]


class AllenNlpsPredictor(srl.SemanticRoleLabelerPredictor):
    """AllenNLP's own, whose tokenizer, tagger and model are a labeller of this package."""

    def __init__(self, labeller: Any) -> None:
        self._label = labeller
        self._language = "en_core_web_sm"
        spacy = SimpleNamespace(vocab=Vocab(), pipeline=[("tagger", self._tag)])
        self._tokenizer = SimpleNamespace(spacy=spacy, tokenize=self._tokenize)
        self._dataset_reader = SimpleNamespace(text_to_instance=self._instance)
        self._model = SimpleNamespace(forward_on_instances=self._labels)

    def _tag(self, doc: Doc) -> None:
        predicates = self._label([token.text for token in doc]).predicates
        for token in doc:
            token.pos_ = "VERB" if token.i in predicates else "NOUN"

    def _tokenize(self, sentence: str) -> List[Token]:
        labelled = self._label(sentence)
        tags = ["VERB" if labelled.frame_at(i) else "NOUN" for i in range(len(labelled))]
        return [Token(word, pos_=tag) for word, tag in zip(labelled.words, tags, strict=True)]

    def _instance(self, tokens: List[Token], verb_labels: List[int]) -> Tuple[List[str], int]:
        return [token.text for token in tokens], verb_labels.index(1)

    def _labels(self, instances: List[Tuple[List[str], int]]) -> List[Dict[str, Any]]:
        return [
            {"words": words, "verb": words[i], "tags": self._label(words).frame_at(i).tags}
            for words, i in instances
        ]


def test_answers_are_those_of_allennlps_predictor() -> None:
    ours = Predictor.from_path("english-fast")
    theirs = AllenNlpsPredictor(ours.labeller)
    inputs = [{"sentence": sentence} for sentence in SENTENCES]
    answers = ours.predict_batch_json(inputs)
    assert answers == theirs.predict_batch_json(inputs)
    for given, answer in zip(inputs, answers, strict=True):
        assert answer == ours.predict(**given) == ours.predict_json(given)
        assert answer == theirs.predict(**given) == theirs.predict_json(given)
        words = answer["words"]
        assert answer == ours.predict_tokenized(words) == theirs.predict_tokenized(words)
    assert ours.predict_batch_json([]) == theirs.predict_batch_json([]) == []


def test_only_models_of_roles_are_opened(archives: Dict[str, Path]) -> None:
    with pytest.raises(ConfigurationError, match="found a model for 'ccg_supertagger'; expected"):
        Predictor.from_path(archives["ccg_supertagger"])
    with pytest.raises(ConfigurationError, match="predictor_name is 'lisa'; expected"):
        Predictor.from_path("english", "lisa")
