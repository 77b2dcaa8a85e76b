"""What the models of this package share: they label sentences."""

from typing import Any, Dict, List

import torch
from allennlp.data import Vocabulary
from allennlp.models.model import Model

from lisa_allennlp.data.sentence import Sentence, to_columns
from lisa_allennlp.models.archive_format import ArchiveFormat


class SentenceModel(Model):
    """
    A model whose `forward` gives `sentences` outside training, the labelled sentences of the batch,
    and whose `label` gives the same without a look at gold annotation. Its weights carry the
    archive format.

    Subclasses implement `forward` and `predict_sentences`.

    # Raises

    `ArchiveFormatError`
        In loading weights, if they are of another archive format.
    """

    def __init__(self, vocab: Vocabulary, **kwargs: Any) -> None:
        super().__init__(vocab, **kwargs)
        self._archive_format = ArchiveFormat()

    @torch.no_grad()
    def label(self, **inputs: Any) -> List[Sentence]:
        """
        Labels a batch. Nothing in the model is changed, so that several threads may call it at
        once.

        # Parameters

        **inputs
            Those of `predict_sentences`.

        # Returns

        `List[Sentence]`

        # Raises

        `RuntimeError`
            If the model is in training mode.
        """
        if self.training:
            raise RuntimeError("found a model in training mode; expected model.eval() before label")
        return self.predict_sentences(**inputs)

    def predict_sentences(self, details: bool = False, **inputs: Any) -> List[Sentence]:
        """
        # Parameters

        details : `bool`, optional (default = `False`)
            Whether sentences have `arc_scores` and `attention`, where the model has such.
        **inputs
            The tensors of `forward` and the subclass's own options. Gold annotation is not used.

        # Returns

        `List[Sentence]`
        """
        raise NotImplementedError

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """Turns the labelled sentences into a list per key of `Sentence.to_dict`."""
        return to_columns(output_dict["sentences"])
