"""
Exports the network of a `lisa` model as ONNX graphs, which label without PyTorch
(`lisa_allennlp.inference`). There is a graph for each part of the network between which a user may
give something: predicates, a tree, or roles. A graph takes one sentence without padding. It has no
weights: it names them, and they stay in the model's file.
"""

import copy
import io
import logging
import warnings
from pathlib import Path
from typing import Any, ClassVar, Dict, Optional, Tuple

import numpy
import torch

from lisa_allennlp.inference.config import CharacterEmbedder, NetworkConfig
from lisa_allennlp.inference.graphs import FLOAT32, FOLDER_NAME, INT8, Graph
from lisa_allennlp.inference.weights import Weights
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    EncodedSentences,
)
from lisa_allennlp.modules.syntactic_heads import ParseReading
from lisa_allennlp.nn.token_layout import lay_out

logger = logging.getLogger(__name__)

OPSET = 17

IN_8_BITS = (
    "._attention._projection",
    "._output_projection",
    "._feedforward.",
    "._syntactic_head._projection",
    "_role_scorer._predicate_projection",
    "_role_scorer._role_projection",
    "_role_scorer._bilinear._left_to_form",
)
"""Parts of the names of the maps whose products are computed in 8 bits."""

TOLERANCE = 1e-4
"""The largest difference from PyTorch, relative to the largest value."""

CHECKED = ((1, 0), (2, 1), (40, 7), (300, 300))
"""The numbers of tokens and of frames at which graphs are compared with PyTorch."""

Tensors = Tuple[torch.Tensor, ...]


class Part(torch.nn.Module):
    """
    A part of a network, from the tensors of one sentence to tensors. Subclasses name their inputs
    and outputs, each with its axes of variable size: T tokens, F frames.
    """

    inputs: ClassVar[Dict[str, str]]
    outputs: ClassVar[Dict[str, str]]

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.eval()

    def examples(self, length: int, frames: int) -> Tensors:
        """Random inputs."""
        raise NotImplementedError

    def states(self, length: int) -> torch.Tensor:
        """Random states."""
        return torch.randn(length, self.model._encoder.get_output_dim())


class Characters(Part):
    """The vectors of words from their characters."""

    inputs = {"characters": "TC"}
    outputs = {"vectors": "T"}

    def __init__(self, model: Any, name: str) -> None:
        super().__init__(model)
        self._embedder = model._text_field_embedder.get_submodule(f"token_embedder_{name}")

    def examples(self, length: int, frames: int) -> Tensors:
        characters = torch.randint(1, self._embedder._embedding._module.num_embeddings, (length, 9))
        ends = torch.randint(1, 10, (length, 1))
        return (characters * (torch.arange(9) < ends),)

    def forward(self, characters: torch.Tensor) -> torch.Tensor:
        return self._embedder(characters.unsqueeze(0))[0]


class Encode(Part):
    """All that does not depend on a tree."""

    inputs = {"embedded": "T"}
    outputs = {"joint_logits": "T", "states": "T"}

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        if model.needs_predicates:
            self.inputs = {**self.inputs, "predicate_indicator": "T"}
        if model.predicts_parse:
            parse = {"arc_scores": "TT", "dependents": "T", "parents": "T"}
            self.outputs = {**self.outputs, **parse}

    def examples(self, length: int, frames: int) -> Tensors:
        embedded = torch.randn(length, self.model._text_field_embedder.get_output_dim())
        indicator = (torch.arange(length) == frames).long()
        return (embedded, indicator) if self.model.needs_predicates else (embedded,)

    def forward(self, embedded: torch.Tensor, indicator: Optional[torch.Tensor] = None) -> Tensors:
        mask = _mask(embedded)
        inputs = embedded.unsqueeze(0)
        if indicator is not None:
            of_predicate = self.model._indicator_embedding(indicator.unsqueeze(0))
            inputs = torch.cat([inputs, of_predicate], dim=-1)
        read = self.model._encoder.read(inputs, mask)
        logits = self.model._joint_tagger(read)[0]
        if read.parse is None:
            return logits, read.states
        parse = read.parse
        return logits, read.states, parse.arc_scores[0], parse.dependents, parse.parents[0]


class Attend(Part):
    """The layers that attend to a tree, and those above them."""

    inputs = {"states": "T", "arc_scores": "TT", "head_indices": "T"}
    outputs = {"final_states": "T"}

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        if not model.predicts_parse:
            self.inputs = {"states": "T"}

    def examples(self, length: int, frames: int) -> Tensors:
        states = self.states(length)
        if not self.model.predicts_parse:
            return (states,)
        return states, torch.randn(length, length), torch.randint(-1, length, (length,))

    def forward(self, states: torch.Tensor, *tree: torch.Tensor) -> torch.Tensor:
        mask, parse, heads = _mask(states), None, None
        if tree:
            arc_scores, heads = tree[0].unsqueeze(0), tree[1].unsqueeze(0)
            parse = ParseReading(arc_scores, states, states)
        encoded = EncodedSentences(states, states, parse, lay_out(mask))
        return self.model._encoder.attend(encoded, mask, heads).states


class HeadTags(Part):
    """The labels of the arc from each token to its head."""

    inputs = {"dependents": "T", "parents": "T", "head_indices": "T"}
    outputs = {"head_tag_logits": "T"}

    def examples(self, length: int, frames: int) -> Tensors:
        dim = self.model._encoder.syntactic_head.label_dim
        heads = torch.randint(length, (length,))
        return torch.randn(length, dim), torch.randn(length, dim), heads

    def forward(
        self, dependents: torch.Tensor, parents: torch.Tensor, heads: torch.Tensor
    ) -> torch.Tensor:
        parse = ParseReading(dependents, dependents, parents.unsqueeze(0))
        encoded = EncodedSentences(dependents, dependents, parse, lay_out(_mask(dependents)))
        return self.model.score_head_tags(encoded, heads.unsqueeze(0))[0]


class Roles(Part):
    """The roles of all tokens for each predicate."""

    inputs = {"final_states": "T", "predicates": "F"}
    outputs = {"role_logits": "FT"}

    def examples(self, length: int, frames: int) -> Tensors:
        return self.states(length), torch.randint(length, (frames,))

    def forward(self, states: torch.Tensor, predicates: torch.Tensor) -> torch.Tensor:
        encoded = EncodedSentences(states, states, None, lay_out(_mask(states)))
        return self.model._role_scorer(encoded, torch.zeros_like(predicates), predicates)


class Senses(Part):
    """The candidate rolesets of each predicate, negative for padding."""

    inputs = {"final_states": "T", "predicates": "F", "candidates": "FC"}
    outputs = {"sense_logits": "FC"}

    def examples(self, length: int, frames: int) -> Tensors:
        size = self.model._sense_tagger._projection.out_features
        candidates = torch.randint(-1, size, (frames, 5))
        return self.states(length), torch.randint(length, (frames,)), candidates

    def forward(
        self, states: torch.Tensor, predicates: torch.Tensor, candidates: torch.Tensor
    ) -> torch.Tensor:
        encoded = EncodedSentences(states, states, None, lay_out(_mask(states)))
        zeros = torch.zeros_like(predicates)
        return self.model._sense_tagger(encoded, zeros, predicates, candidates)


def write_graphs(model: Any, config: NetworkConfig, folder: Path) -> bool:
    """
    Writes the graphs of a model in single precision, with what it says of its network. Returns `False` if one differs from PyTorch or cannot be exported; a warning says why. The model
    does not change.
    """
    # PyTorch would write equal weights only once.
    model = copy.deepcopy(model).cpu().eval()
    for weight in model.parameters():
        torch.nn.init.normal_(weight, std=0.1)
    parts: Dict[str, Part] = {
        f"characters-{embedder.name}": Characters(model, embedder.name)
        for embedder in config.embedders
        if isinstance(embedder, CharacterEmbedder)
    }
    parts |= {"encode": Encode(model), "attend": Attend(model), "roles": Roles(model)}
    if model.predicts_parse:
        parts["head_tags"] = HeadTags(model)
    if model.predicts_senses:
        parts["senses"] = Senses(model)
    weights = {name: weight.numpy() for name, weight in model.state_dict().items()}
    target = folder / FOLDER_NAME / FLOAT32
    graphs = {}
    try:
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
    """The graph of a part, whose weights are external."""
    import onnx

    file = io.BytesIO()
    axes = {
        name: dict(enumerate(axes)) for name, axes in {**part.inputs, **part.outputs}.items()
    }
    with warnings.catch_warnings():
        # Sizes that PyTorch warns of are constant.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            part,
            part.examples(7, 3),
            file,
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
        _make_external(initializer, names[initializer.name])
    for node in model.graph.node:
        node.doc_string = ""
        node.input[:] = [names.get(name, name) for name in node.input]
    del model.graph.value_info[:]
    return model.SerializeToString()


def _make_external(initializer: Any, name: str) -> None:
    """Replaces the values of an initializer by their name."""
    import onnx

    initializer.ClearField("raw_data")
    initializer.name = name
    initializer.data_location = onnx.TensorProto.EXTERNAL
    initializer.external_data.add(key="location", value="weights")


@torch.no_grad()
def _check(name: str, part: Part, graph: bytes, weights: Weights) -> None:
    """Raises a `ValueError` if a graph answers otherwise than its part of the network."""
    run = Graph(graph, weights)
    for length, frames in CHECKED:
        inputs = part.examples(length, frames)
        outputs = part(*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        found = run(*(value.numpy() for value in inputs))
        for key, ours, expected in zip(part.outputs, found, outputs, strict=True):
            scale = 1.0 + float(expected.abs().max()) if expected.numel() else 1.0
            if not numpy.abs(ours - expected.numpy()).max(initial=0.0) <= TOLERANCE * scale:
                raise ValueError(f"{name}: {key} differs from PyTorch at {length} tokens")


def _mask(states: torch.Tensor) -> torch.Tensor:
    """(1, T), all true, from (T, dim)."""
    return torch.ones_like(states[:, 0], dtype=torch.bool).unsqueeze(0)


def write_graphs_in_8_bits(folder: Path) -> None:
    """Writes the graphs of a model's folder again, with the products of `IN_8_BITS` in 8 bits."""
    import onnx

    target = folder / FOLDER_NAME / INT8
    target.mkdir(parents=True, exist_ok=True)
    for path in (folder / FOLDER_NAME / FLOAT32).glob("*.onnx"):
        model = onnx.load_from_string(path.read_bytes())
        _round(model.graph)
        (target / path.name).write_bytes(model.SerializeToString())


def _round(graph: Any) -> None:
    """
    Replaces the `Gemm` of each map by a product of 8 bits. The scale of its inputs is that of the
    sentence, the scales of the weights are those of the outputs.
    """
    import onnx

    helper, nodes, rounded = onnx.helper, list(graph.node), {}
    del graph.node[:]
    for node in nodes:
        weight = node.input[1] if node.op_type == "Gemm" else ""
        if not any(part in weight for part in IN_8_BITS):
            graph.node.append(node)
            continue
        (output,), bias = node.output, node.input[2:]
        codes, scales = rounded.setdefault(weight, (f"{weight}|codes", f"{weight}|scales"))
        quantized = [f"{output}|{part}" for part in ("inputs", "scale", "zero")]
        graph.node.extend(
            [
                helper.make_node("DynamicQuantizeLinear", node.input[:1], quantized),
                helper.make_node(
                    "MatMulInteger",
                    [quantized[0], codes, quantized[2]],
                    [f"{output}|products"],
                ),
                helper.make_node("Cast", [f"{output}|products"], [f"{output}|floats"], to=1),
                helper.make_node("Mul", [quantized[1], scales], [f"{output}|scales"]),
                helper.make_node(
                    "Mul",
                    [f"{output}|floats", f"{output}|scales"],
                    [f"{output}|unbiased" if bias else output],
                ),
            ]
        )
        if bias:
            graph.node.append(helper.make_node("Add", [f"{output}|unbiased", *bias], [output]))
    for initializer in list(graph.initializer):
        if initializer.name in rounded:
            num_outputs, num_inputs = initializer.dims
            for name, kind, dims in zip(
                rounded[initializer.name],
                (onnx.TensorProto.INT8, onnx.TensorProto.FLOAT),
                ((num_inputs, num_outputs), (num_outputs,)),
                strict=True,
            ):
                added = graph.initializer.add(data_type=kind, dims=dims)
                _make_external(added, name)
            graph.initializer.remove(initializer)
