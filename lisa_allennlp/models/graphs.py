"""
Exports the network of a `lisa` model as ONNX graphs, which label without PyTorch
(`lisa_allennlp.inference`). There is a graph for each part of the network between which a user may
give something: predicates, a tree, or roles. A graph takes sentences of equal length, without
padding. It has no weights: it names them, and they stay in the model's file.
"""

import copy
import io
import logging
import warnings
from pathlib import Path
from typing import Any, Dict, Optional, Tuple, cast

import numpy
import torch

from lisa_allennlp.common.user_errors import check_installed
from lisa_allennlp.inference.graphs import Graph
from lisa_allennlp.models_on_disk.network_config import (
    CharacterEmbedder,
    NetworkConfig,
    PieceEmbedder,
)
from lisa_allennlp.models_on_disk.pretrained import FLOAT32, GRAPHS_NAME
from lisa_allennlp.models_on_disk.weights import Weights
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    EncodedSentences,
)
from lisa_allennlp.modules.syntactic_heads import ParseReading
from lisa_allennlp.nn.token_layout import lay_out

logger = logging.getLogger(__name__)

OPSET = 17

TOLERANCE = 1e-4
"""The largest difference from PyTorch, relative to the largest value."""

CHECKED = ((1, 1, 0), (3, 2, 1), (1, 40, 7), (1, 300, 300))
"""The numbers of sentences, tokens and frames at which graphs are compared with PyTorch."""

Tensors = Tuple[torch.Tensor, ...]


class Part(torch.nn.Module):
    """
    A part of a network, from tensors to tensors. Inputs and outputs are named, with their axes of
    variable size: B sentences of T tokens, F frames.
    """

    inputs: Dict[str, str]
    outputs: Dict[str, str]

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.eval()

    def examples(self, batch: int, length: int, frames: int) -> Tensors:
        raise NotImplementedError

    def states(self, batch: int, length: int) -> torch.Tensor:
        return torch.randn(batch, length, self.model._encoder.get_output_dim())


class Characters(Part):
    inputs = {"characters": "WC"}
    outputs = {"vectors": "W"}

    def __init__(self, model: Any, name: str) -> None:
        super().__init__(model)
        self._embedder = model._text_field_embedder.get_submodule(f"token_embedder_{name}")

    def examples(self, batch: int, length: int, frames: int) -> Tensors:
        size = self._embedder._embedding._module.num_embeddings
        return (torch.randint(1, size, (length, 9)) * (torch.arange(9) < torch.tensor([[5]])),)

    def forward(self, characters: torch.Tensor) -> torch.Tensor:
        return self._embedder(characters.unsqueeze(0))[0]


class Pieces(Part):
    inputs = {"embedded": "BP"}
    outputs = {"vectors": "BP"}

    def __init__(self, model: Any, embedder: PieceEmbedder) -> None:
        super().__init__(model)
        self._module = model._text_field_embedder.get_submodule(f"token_embedder_{embedder.name}")
        self._embedder = embedder

    def examples(self, batch: int, length: int, frames: int) -> Tensors:
        num_pieces = min(length, self._embedder.max_length)
        return (torch.randn(batch, num_pieces, self._embedder.dim),)

    def forward(self, embedded: torch.Tensor) -> torch.Tensor:
        return self._module.encode(embedded)


class Encode(Part):
    inputs = {"embedded": "BT"}
    outputs = {"joint_logits": "BT", "states": "BT"}

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        if model.needs_predicates:
            self.inputs = {**self.inputs, "predicate_indicator": "BT"}
        if model.predicts_parse:
            parse = {"arc_scores": "BTT", "dependents": "BT", "parents": "BT"}
            self.outputs = {**self.outputs, **parse}
        if model.has_factuality_encoder:
            self.outputs = {**self.outputs, "factuality_logits": "BT"}

    def examples(self, batch: int, length: int, frames: int) -> Tensors:
        embedded = torch.randn(batch, length, self.model._text_field_embedder.get_output_dim())
        indicator = torch.randint(2, (batch, length))
        return (embedded, indicator) if self.model.needs_predicates else (embedded,)

    def forward(self, embedded: torch.Tensor, indicator: Optional[torch.Tensor] = None) -> Tensors:
        mask = _mask(embedded)
        if indicator is not None:
            of_predicate = self.model._indicator_embedding(indicator)
            embedded = torch.cat([embedded, of_predicate], dim=-1)
        read = self.model._encoder.read(embedded, mask)
        unpack, parse = read.layout.unpack, read.parse
        outputs = [self.model._joint_tagger(read), unpack(read.states)]
        if parse is not None:
            outputs += [parse.arc_scores, unpack(parse.dependents), parse.parents]
        if self.model.has_factuality_encoder:
            outputs.append(self.model.score_factuality(read))
        return tuple(outputs)


class Attend(Part):
    inputs = {"states": "BT", "arc_scores": "BTT", "head_indices": "BT"}
    outputs = {"final_states": "BT"}

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        if not model.predicts_parse:
            self.inputs = {"states": "BT"}

    def examples(self, batch: int, length: int, frames: int) -> Tensors:
        states = self.states(batch, length)
        if not self.model.predicts_parse:
            return (states,)
        arc_scores = torch.randn(batch, length, length)
        return states, arc_scores, torch.randint(-1, length, (batch, length))

    def forward(self, states: torch.Tensor, *tree: torch.Tensor) -> torch.Tensor:
        parse, heads = (ParseReading(tree[0], states, states), tree[1]) if tree else (None, None)
        read, mask = _encoded(states, parse), _mask(states)
        return read.layout.unpack(self.model._encoder.attend(read, mask, heads).states)


class HeadTags(Part):
    inputs = {"dependents": "BT", "parents": "BT", "head_indices": "BT"}
    outputs = {"head_tag_logits": "BT"}

    def examples(self, batch: int, length: int, frames: int) -> Tensors:
        shape = batch, length, self.model._encoder.syntactic_head.label_dim
        return torch.randn(shape), torch.randn(shape), torch.randint(length, shape[:2])

    def forward(
        self, dependents: torch.Tensor, parents: torch.Tensor, heads: torch.Tensor
    ) -> torch.Tensor:
        encoded = _encoded(dependents)
        parse = ParseReading(dependents, encoded.states, parents)
        return self.model.score_head_tags(encoded._replace(parse=parse), heads)


class Roles(Part):
    inputs = {"final_states": "BT", "sentence_indices": "F", "predicate_indices": "F"}
    outputs = {"role_logits": "FT"}

    def examples(self, batch: int, length: int, frames: int) -> Tensors:
        places = torch.randint(batch, (frames,)), torch.randint(length, (frames,))
        return self.states(batch, length), *places

    def forward(self, states: torch.Tensor, *indices: torch.Tensor) -> torch.Tensor:
        return self.model._role_scorer(_encoded(states), *indices)


class Senses(Roles):
    inputs = {**Roles.inputs, "candidates": "FC"}
    outputs = {"sense_logits": "FC"}

    def examples(self, batch: int, length: int, frames: int) -> Tensors:
        size = self.model._sense_tagger._projection.out_features
        candidates = torch.randint(-1, size, (frames, 5))
        return *super().examples(batch, length, frames), candidates

    def forward(self, states: torch.Tensor, *indices: torch.Tensor) -> torch.Tensor:
        return self.model._sense_tagger(_encoded(states), *indices)


class Factuality(Part):
    inputs = {"final_states": "BT"}
    outputs = {"factuality_logits": "BT"}

    def examples(self, batch: int, length: int, frames: int) -> Tensors:
        return (self.states(batch, length),)

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        return self.model.score_factuality(_encoded(states))


def _mask(states: torch.Tensor) -> torch.Tensor:
    return torch.ones_like(states[..., 0], dtype=torch.bool)


def _encoded(states: torch.Tensor, parse: Optional[ParseReading] = None) -> EncodedSentences:
    layout = lay_out(_mask(states))
    packed = layout.pack(states)
    return EncodedSentences(packed, packed, parse, layout)


def write_graphs(model: Any, config: NetworkConfig, folder: Path) -> bool:
    """
    Writes a model's graphs in single precision to its folder, with the description of its network.
    Returns `False`, with a warning, if one differs from PyTorch or cannot be exported.
    """
    # PyTorch would write equal weights only once.
    model = copy.deepcopy(model).cpu().eval()
    for weight in model.parameters():
        torch.nn.init.normal_(weight, std=0.1)
    parts: Dict[str, Part] = {}
    for embedder in config.embedders:
        if isinstance(embedder, CharacterEmbedder):
            parts[f"characters-{embedder.name}"] = Characters(model, embedder.name)
        if isinstance(embedder, PieceEmbedder):
            parts[f"pieces-{embedder.name}"] = Pieces(model, embedder)
    parts |= {"encode": Encode(model), "attend": Attend(model), "roles": Roles(model)}
    if model.predicts_parse:
        parts["head_tags"] = HeadTags(model)
    if model.predicts_senses:
        parts["senses"] = Senses(model)
    if model.predicts_factuality and not model.has_factuality_encoder:
        parts["factuality"] = Factuality(model)
    weights = {name: weight.numpy() for name, weight in model.state_dict().items()}
    target = folder / GRAPHS_NAME / FLOAT32
    graphs = {}
    try:
        check_installed("onnx")
        for name, part in parts.items():
            graphs[name] = _export(part)
            _check(name, part, graphs[name], Weights(weights, "the model"))
    except Exception as error:  # whatever a part of somebody's own raises
        reason = " ".join(str(error).split())[:200]
        logger.warning("The model labels with PyTorch alone: %s", reason)
        return False
    target.mkdir(parents=True, exist_ok=True)
    for name, graph in graphs.items():
        (target / f"{name}.onnx").write_bytes(graph)
    return True


@torch.no_grad()
def _export(part: Part) -> bytes:
    import onnx

    file = io.BytesIO()
    axes = {name: dict(enumerate(axes)) for name, axes in {**part.inputs, **part.outputs}.items()}
    with warnings.catch_warnings():
        # Sizes that PyTorch warns of are constant.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            part,
            part.examples(2, 7, 3),
            cast(Any, file),
            dynamo=False,
            opset_version=OPSET,
            input_names=list(part.inputs),
            output_names=list(part.outputs),
            dynamic_axes=axes,
            do_constant_folding=False,
        )
    model = onnx.load_from_string(file.getvalue())
    names = {name: name.removeprefix("model.") for name, _ in part.named_parameters()}
    for initializer in model.graph.initializer:
        make_external(initializer, names[initializer.name])
    for node in model.graph.node:
        node.doc_string = ""
        node.input[:] = [names.get(name, name) for name in node.input]
    del model.graph.value_info[:]
    return model.SerializeToString()


def make_external(initializer: Any, name: str) -> None:
    import onnx

    initializer.ClearField("raw_data")
    initializer.name = name
    initializer.data_location = onnx.TensorProto.EXTERNAL
    initializer.external_data.add(key="location", value="weights")


@torch.no_grad()
def _check(name: str, part: Part, graph: bytes, weights: Weights) -> None:
    run = Graph(graph, weights)
    for sizes in CHECKED:
        inputs = part.examples(*sizes)
        outputs = part(*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        found = run(*(value.numpy() for value in inputs))
        for key, ours, expected in zip(part.outputs, found, outputs, strict=True):
            scale = 1.0 + float(expected.abs().max()) if expected.numel() else 1.0
            if not numpy.abs(ours - expected.numpy()).max(initial=0.0) <= TOLERANCE * scale:
                raise ValueError(f"{name}: {key} differs from PyTorch at {sizes[1]} tokens")
