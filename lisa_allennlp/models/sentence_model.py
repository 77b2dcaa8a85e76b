"""The base class of the package's models."""

from typing import Any, Dict, List, Mapping, Optional, Tuple

import torch
from allennlp.data import Vocabulary
from allennlp.models.model import Model
from allennlp.modules.token_embedders import Embedding

from lisa_allennlp.data.sentence import Sentence, to_columns
from lisa_allennlp.models.archive_format import ArchiveFormat

VocabularyAxes = Dict[str, Tuple[Optional[str], ...]]
"""
For the weights that are indexed by labels, words or characters, the namespace of each of their
axes: `None` for an axis without one, as for all axes that a tuple leaves out. An axis may consist
of several blocks that are as long as the namespace.
"""


def rows(model: torch.nn.Module, path: str, namespace: str) -> VocabularyAxes:
    """
    The axes of a submodule whose weights all have a row per label.

    >>> rows(torch.nn.Sequential(torch.nn.Linear(4, 7)), "0", "joint_tags")
    {'0.weight': ('joint_tags',), '0.bias': ('joint_tags',)}

    # Parameters

    path : `str`
        The name of the submodule in the model.
    """
    weights = model.get_submodule(path).named_parameters()
    return {f"{path}.{name}": (namespace,) for name, _ in weights}


class SentenceModel(Model):
    """
    A model that labels sentences. Outside training, the output of `forward` has the labelled
    `sentences` of the batch. `label` returns labelled sentences without reading gold annotation.
    The weights carry the archive format.

    Subclasses implement `forward` and `predict_sentences`, and add the layers that have weights per
    label to `vocabulary_axes`.

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

    def vocabulary_axes(self) -> VocabularyAxes:
        """
        The weights whose shapes depend on the vocabulary. The base class knows those of embeddings
        and of modules that have a method of this name.
        """
        axes: VocabularyAxes = {}
        for prefix, module in self.named_modules():
            namespace = getattr(module, "_vocab_namespace", None)
            if isinstance(module, Embedding) and namespace is not None:
                axes[f"{prefix}.weight"] = (namespace,)
            elif module is not self and hasattr(module, "vocabulary_axes"):
                own = module.vocabulary_axes()
                axes.update({f"{prefix}.{name}": namespaces for name, namespaces in own.items()})
        return axes

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """Turns the labelled sentences into a list per key of `Sentence.to_dict`."""
        return to_columns(output_dict["sentences"])


def is_sentence_model(config: Mapping[str, Any]) -> bool:
    """Whether the config of an experiment has a model of this package."""
    name = config["model"].get("type")
    found: Any = None if name is None else Model.resolve_class_name(name)[0]
    return isinstance(found, type) and issubclass(found, SentenceModel)
