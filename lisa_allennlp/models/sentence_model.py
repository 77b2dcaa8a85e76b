"""The base class of the package's models."""

from typing import Any, Dict, List, Mapping

import torch
from allennlp.data import Vocabulary
from allennlp.models.model import Model

from lisa_allennlp.data.sentence import Sentence, to_columns
from lisa_allennlp.models.archive_format import ArchiveFormat


class SentenceModel(Model):
    """
    A model that labels sentences. Outside training, the output of `forward` has the labelled
    `sentences` of the batch. `label` returns labelled sentences without reading gold annotation.
    The weights carry the archive format.

    Subclasses implement `forward` and `predict_sentences`.

    >>> class NounTagger(SentenceModel):
    ...     def predict_sentences(self, metadata, **inputs):
    ...         words = [item["sentence"].words for item in metadata]
    ...         return [Sentence(w, pos=["NN"] * len(w)) for w in words]
    >>> NounTagger(Vocabulary()).eval().label(metadata=[{"sentence": Sentence(["Rain"])}])[0].pos
    ['NN']

    # Raises

    `ArchiveFormatError`
        When weights of another archive format are loaded.
    """

    def __init__(self, vocab: Vocabulary, **kwargs: Any) -> None:
        super().__init__(vocab, **kwargs)
        self._archive_format = ArchiveFormat()

    @torch.no_grad()
    def label(self, **inputs: Any) -> List[Sentence]:
        """
        Labels a batch with the arguments of `predict_sentences`. The model does not change, so
        several threads may call it at once.

        # Raises

        `RuntimeError`
            If the model is in training mode.
        """
        if self.training:
            raise RuntimeError("label: found a model in training mode; expected model.eval() first")
        return self.predict_sentences(**inputs)

    def predict_sentences(self, details: bool = False, **inputs: Any) -> List[Sentence]:
        """
        # Parameters

        details : `bool`, optional (default = `False`)
            Whether to fill the sentences' `arc_scores` and `attention`, if the model has them.
        **inputs
            The tensors of `forward` and the subclass's own options. Gold annotation is ignored.
        """
        raise NotImplementedError

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """Turns the labelled sentences into a list per key of `Sentence.to_dict`."""
        return to_columns(output_dict["sentences"])


def is_sentence_model(config: Mapping[str, Any]) -> bool:
    """Whether the config of an experiment has a model of this package."""
    name = config["model"].get("type")
    return name is not None and issubclass(Model.resolve_class_name(name)[0], SentenceModel)
