"""The base class of the package's models."""

import inspect
import os
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import torch
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models.model import Model
from allennlp.modules.token_embedders import Embedding

from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.models_on_disk.archives.opening import without_initial_values
from lisa_allennlp.models_on_disk.archives.storage import (
    read_torch_weights,
    read_vocabulary,
    read_weights,
    write_json,
)
from lisa_allennlp.models_on_disk.archives.stored_files import use_stored
from lisa_allennlp.models_on_disk.model_folder import (
    ARCHIVE_FORMAT,
    check_archive_format,
    check_weight,
    read_info,
    with_lexicon,
)
from lisa_allennlp.models_on_disk.network_config import NetworkConfig
from lisa_allennlp.models_on_disk.pretrained import NETWORK_NAME, is_exported
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence, to_columns
from lisa_allennlp.training.configs import annotations, unknown_key

VocabularyAxes = Dict[str, Tuple[Optional[str], ...]]
"""
The namespace of each axis of weights that are indexed by labels, words or characters: `None` for an
axis without one, as for the remaining axes. An axis may consist of several blocks that are as long
as the namespace.
"""


def label_strings(vocab: Vocabulary, namespace: str) -> List[str]:
    # Looking up a missing namespace would add it to the vocabulary.
    if namespace not in vocab.get_namespaces():
        return []
    names = vocab.get_index_to_token_vocabulary(namespace)
    return [names[index] for index in range(len(names))]


def to_array(tensor: Optional[torch.Tensor]) -> Any:
    """Returns scores or indices for decoding; on a CPU without a copy."""
    if tensor is None:
        return None
    tensor = tensor.detach().cpu()
    return (tensor.float() if tensor.is_floating_point() else tensor).numpy()


def rows(model: torch.nn.Module, path: str, namespace: str) -> VocabularyAxes:
    """Returns the axes of a submodule whose weights all have a row per label."""
    weights = model.get_submodule(path).named_parameters()
    return {f"{path}.{name}": (namespace,) for name, _ in weights}


class ArchiveFormat(torch.nn.Module):
    """
    Saves the archive format with a model's weights, so that loading weights of another format fails
    with a `ConfigurationError` instead of a list of names.
    """

    number: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("number", torch.tensor(ARCHIVE_FORMAT))

    def _load_from_state_dict(
        self, state_dict: Dict[str, Any], prefix: str, *args: Any, **kwargs: Any
    ) -> None:
        # Archives of format 1 have no number.
        check_archive_format(int(state_dict.get(f"{prefix}number", 1)))
        super()._load_from_state_dict(state_dict, prefix, *args, **kwargs)


class SentenceModel(Model):
    """
    Labels sentences. Outside training, the output of `forward` has the labelled `sentences`;
    `label` returns them without reading gold annotation. The weights carry the archive format.

    Subclasses implement `forward` and `predict_sentences`, and add the layers that have weights per
    label to `vocabulary_axes`.
    """

    def __init__(self, vocab: Vocabulary, **kwargs: Any) -> None:
        # `allennlp train` has not checked the keys of a config, which all constructors pass on.
        for key in kwargs.keys() - inspect.signature(Model).parameters:
            cls = type(self)
            raise unknown_key("model.", key, cls, annotations(cls, cls.__init__))
        super().__init__(vocab, **kwargs)
        self._archive_format = ArchiveFormat()

    @classmethod
    def _load(
        cls,
        config: Params,
        serialization_dir: Union[str, os.PathLike],
        weights_file: Union[str, os.PathLike, None] = None,
        cuda_device: int = -1,
    ) -> Model:
        """
        Opens the model in a folder, as AllenNLP's method of this name, also in an exported one.
        Files stored there come before those that the config names. Only tensors are unpickled, and
        nothing is written.
        """
        folder = Path(serialization_dir)
        info = read_info(folder) if is_exported(str(folder)) else None
        options = config.get("vocabulary") or {}
        options = {"type": options} if isinstance(options, str) else options
        vocab = read_vocabulary(folder, options, info.vocabulary if info else None)
        stored = use_stored(with_lexicon(config["model"].as_dict(quiet=True)), folder)
        params = Params(without_initial_values(stored))
        model = Model.from_params(params, vocab=vocab, serialization_dir=str(folder))
        if info is not None:
            weights = read_weights(folder, info.sha256)
        else:
            weights = read_torch_weights(weights_file or folder / "best.th")
        model.extend_embedder_vocab()
        model.load_state_dict(weights)
        for name, weight in model.named_parameters():
            check_weight(name, weight)
        return model.cuda(cuda_device) if cuda_device >= 0 else model

    @torch.no_grad()
    def label(self, **inputs: Any) -> List[Sentence]:
        """
        Labels a batch with the arguments of `predict_sentences`, in evaluation mode. The model does
        not change, so several threads may call it at once.
        """
        if self.training:
            raise RuntimeError("label: found a model in training mode; expected model.eval() first")
        return self.predict_sentences(**inputs)

    def predict_sentences(self, options: LabelOptions, **inputs: Any) -> List[Sentence]:
        """Labels a batch without reading gold annotation, from the tensors of `forward`."""
        raise NotImplementedError

    def describe_network(self, dataset_reader: DatasetReader) -> Optional[NetworkConfig]:
        """Returns the contents of `network.json`; `None` if the model labels with PyTorch alone."""
        return None

    def write_network(self, dataset_reader: DatasetReader, folder: Path) -> None:
        """Writes graphs and `network.json`, with which the model labels without PyTorch."""
        from lisa_allennlp.models.graphs import write_graphs

        described = self.describe_network(dataset_reader)
        if described is not None and write_graphs(self, described, folder):
            write_json(folder / NETWORK_NAME, described.to_json())

    def names_in_8_bits(self) -> List[str]:
        from lisa_allennlp.models._graphs_in_8_bits import IN_8_BITS

        maps = [name for name, weight in self.state_dict().items() if weight.dim() == 2]
        return [name for name in maps if any(part in name for part in IN_8_BITS)]

    def write_graphs_in_8_bits(self, folder: Path, requests: Sequence[Request]) -> None:
        """Writes graphs in 8 bits to the model's folder; `requests` are sentences to measure."""
        from lisa_allennlp.models._graphs_in_8_bits import write_graphs_in_8_bits

        write_graphs_in_8_bits(folder, requests)

    def vocabulary_axes(self) -> VocabularyAxes:
        """
        Returns the weights whose shapes depend on the vocabulary: of embeddings, and of modules
        that have a method of this name.
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
        return to_columns(output_dict["sentences"])
