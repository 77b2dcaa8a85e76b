"""
AllenNLP's `SemanticRoleLabelerPredictor` without AllenNLP: the same methods and the same answers,
from a model of this package (docs/from_allennlp.md).

    >>> predictor = Predictor.from_path("english-fast")
    >>> answer = predictor.predict(sentence="She sold him the car.")
    >>> answer["words"]
    ['She', 'sold', 'him', 'the', 'car', '.']
    >>> answer["verbs"][0]["description"]
    '[ARG0: She] [V: sold] [ARG2: him] [ARG1: the car] .'
    >>> answer["verbs"][0]["tags"]
    ['B-ARG0', 'B-V', 'B-ARG2', 'B-ARG1', 'I-ARG1', 'O']
"""

import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.sentence.sentence import Sentence

NAME = "semantic_role_labeling"
"""AllenNLP's registered name of the predictor."""


class SemanticRoleLabelerPredictor:
    """
    Answers as AllenNLP's predictor of this name: with `words`, and for each predicate of `verbs`
    the word form (`verb`), the sentence with its roles in brackets (`description`) and BIO labels
    (`tags`). `labeller`, which `lisa_allennlp.load` returns, finds the predicates and has senses,
    trees and offsets, too.
    """

    def __init__(self, labeller: Labeller) -> None:
        self.labeller = labeller

    @classmethod
    def from_path(
        cls,
        archive_path: Union[str, "os.PathLike[str]"] = pretrained.DEFAULT,
        predictor_name: Optional[str] = None,
        cuda_device: int = -1,
        **options: Any,
    ) -> "SemanticRoleLabelerPredictor":
        """
        Opens a LISA or SA model: a name, an archive or a folder, as `lisa_allennlp.load` takes it,
        with other options of `load`. Raises a `ConfigurationError` if it is none.
        """
        if predictor_name not in (None, NAME):
            raise ConfigurationError(f"predictor_name is {predictor_name!r}; expected '{NAME}'")
        return cls(load_labeller(archive_path, name="lisa", device=cuda_device, **options))

    def predict(self, sentence: str) -> Dict[str, Any]:
        """Labels a sentence of raw text."""
        return self.predict_json({"sentence": sentence})

    def predict_tokenized(self, tokenized_sentence: Sequence[str]) -> Dict[str, Any]:
        """Labels a sentence of these words."""
        return self.predict_json({"tokens": list(tokenized_sentence)})

    def predict_json(self, inputs: Mapping[str, Any]) -> Dict[str, Any]:
        """Labels an object with `sentence`, or another input of `Labeller`."""
        return _answer(self.labeller(inputs))

    def predict_batch_json(self, inputs: Iterable[Mapping[str, Any]]) -> List[Dict[str, Any]]:
        """Labels many objects, which is faster than one by one."""
        return list(map(_answer, self.labeller.pipe(inputs)))


Predictor = SemanticRoleLabelerPredictor
"""AllenNLP's name of the class whose `from_path` opens a predictor."""


def _answer(sentence: Sentence) -> Dict[str, Any]:
    verbs = [
        {"verb": frame.verb, "description": frame.description, "tags": list(frame.tags)}
        for frame in sentence.frames or ()
    ]
    return {"verbs": verbs, "words": list(sentence.words)}
