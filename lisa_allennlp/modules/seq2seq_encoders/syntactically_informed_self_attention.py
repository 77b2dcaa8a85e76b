"""The encoder of LISA and, without its syntactic head, of SA."""

import math
from dataclasses import dataclass
from typing import NamedTuple, Optional, Type, cast

import torch
from allennlp.common import Lazy
from allennlp.modules.seq2seq_encoders.seq2seq_encoder import Seq2SeqEncoder

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.modules.dropout import Dropout
from lisa_allennlp.modules.self_attention import (
    EncoderLayer,
    MultiHeadAttention,
    PositionwiseFeedForward,
    SyntacticMixture,
)
from lisa_allennlp.modules.seq2seq_encoders import SizedEncoder
from lisa_allennlp.modules.syntactic_heads import ParseReading, SyntacticHead
from lisa_allennlp.nn.token_layout import TokenLayout, lay_out


@dataclass(frozen=True)
class EncoderSizes:
    """
    The options of LISA's encoder, without those of training. Layers are counted from 1; layer 0 is
    the input. Options that do not fit each other are a `ConfigurationError`.
    """

    num_layers: int
    num_heads: int
    head_dim: int
    feedforward_hidden_dim: int
    feedforward_num_layers: int
    predicate_layer: int
    parse_layer: Optional[int]
    arc_dim: int
    label_dim: int
    layer_style: str = "pre_norm"
    intermediate_norms: bool = True
    layer_norm_eps: float = 1e-5

    @property
    def dim(self) -> int:
        return self.num_heads * self.head_dim

    @property
    def num_below(self) -> int:
        return self.num_layers if self.parse_layer is None else self.parse_layer - 1

    def __post_init__(self) -> None:
        if self.predicate_layer not in range(self.num_layers + 1):
            raise ConfigurationError(
                f"predicate_layer is {self.predicate_layer}; expected a layer from 1 to "
                f"{self.num_layers}, or 0 for the input"
            )
        parse_layers = range(self.predicate_layer + 1, self.num_layers + 1)
        if self.parse_layer is not None and self.parse_layer not in parse_layers:
            raise ConfigurationError(
                f"parse_layer is {self.parse_layer}; expected a layer above predicate_layer "
                f"({self.predicate_layer}) and up to num_layers ({self.num_layers}), or null for SA"
            )
        if self.parse_layer is not None and self.num_heads < 2:
            raise ConfigurationError(
                f"num_heads is {self.num_heads}; expected at least 2, since the syntactic head "
                "replaces one"
            )
        if self.dim % 2 or self.dim < 4:
            raise ConfigurationError(
                f"num_heads * head_dim is {self.num_heads} * {self.head_dim} = {self.dim}; "
                "expected an even number of at least 4, since positions are encoded as pairs of a "
                "sine and a cosine"
            )


class EncodedSentences(NamedTuple):
    """
    The states of an encoded batch.

    # Parameters

    states : `torch.Tensor`
        Shape `(num_tokens, output_dim)`: the last layer, s(J), packed by `layout`.
    predicate_states : `torch.Tensor`
        The layer that POS tags and predicates are predicted from, s(r): shape
        `(num_tokens, output_dim)`, or `(num_tokens, input_dim)` if it is the input.
    parse : `ParseReading`, optional
        `None` if the encoder has no syntactic head.
    layout : `TokenLayout`
        Says where the packed tokens are.
    """

    states: torch.Tensor
    predicate_states: torch.Tensor
    parse: Optional[ParseReading]
    layout: TokenLayout


@Seq2SeqEncoder.register("syntactically_informed_self_attention")
class SyntacticallyInformedSelfAttention(SizedEncoder):
    """
    A stack of self-attention layers in which one head of one layer attends to each token's
    syntactic head (Strubell et al. 2018, "Linguistically-Informed Self-Attention for Semantic Role
    Labeling", section 2). Called like any `Seq2SeqEncoder`, it returns the last layer's states.
    `encode` also returns the parse and the states for POS tags and predicates, and it accepts a
    tree to attend to.

    Layers are counted from 1; layer 0 is the input, which may come from a pretrained encoder. The
    tree is predicted from the layer below `parse_layer`, and the last head of `parse_layer` attends
    to it.

    >>> encoder = SyntacticallyInformedSelfAttention(
    ...     input_dim=10, num_layers=3, num_heads=2, head_dim=4, predicate_layer=1, parse_layer=2
    ... )
    >>> inputs = torch.randn(2, 5, 10)
    >>> mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    >>> encoder(inputs, mask).shape
    torch.Size([2, 5, 8])
    >>> encoder.encode(inputs, mask).parse.arc_scores.shape
    torch.Size([2, 5, 5])

    # Parameters

    num_heads : `int`, optional (default = `8`)
        The number of heads per layer, including the syntactic head.
    head_dim : `int`, optional (default = `25`)
        The size of a head. The size of the states is `num_heads * head_dim`, which must be even.
    feedforward_num_layers : `int`, optional (default = `2`)
        The number of maps in the feed-forward: 2 in the paper, 3 (800, 800 and the states' size) in
        the authors' code, which makes the encoder more than twice as large and as slow.
    predicate_layer : `int`, optional (default = `3`)
        The layer that POS tags and predicates are predicted from; 4 in the published configs
        and in the authors' code, which counts from 0 and says 3. The paper says only that it is
        below `parse_layer`. With 0 they are predicted from the input.
    parse_layer : `int`, optional (default = `5`)
        The layer with the syntactic head, above `predicate_layer`; `null` for the syntax-free SA
        encoder.
    arc_dim : `int`, optional (default = `500`)
        The size of the representations that arcs are scored from.
    label_dim : `int`, optional (default = `100`)
        The size of the representations that labels are scored from.
    input_dropout : `float`, optional (default = `0.1`)
        Applied after the inputs are projected and positions added.
    attention_dropout : `float`, optional (default = `0.1`)
        Applied to attention weights, those of the syntactic head too.
    feedforward_dropout : `float`, optional (default = `0.1`)
        Applied between the maps of the feed-forward.
    residual_dropout : `float`, optional (default = `0.1`)
        Applied to the output of each sub-layer.
    parse_dropout : `float`, optional (default = `0.1`)
        Applied to the representations that arcs and labels are scored from.
    variational_dropout : `bool`, optional (default = `False`)
        Whether the `parse_dropout` of a `deep_biaffine` head drops the same dimensions at all
        tokens of a sentence, as in the authors' code (`noise_shape` in LISA-v1's `nn.py`).
    layer_style : `str`, optional (default = `"pre_norm"`)
        `pre_norm`, the usual form of deep networks; `authors`, the form of the authors' code, in
        which residual connections carry the normalised states; `paper`, the form of section 2.1; or
        the name of another `EncoderLayer`.
    intermediate_norms : `bool`, optional (default = `True`)
        Whether the states that tags, predicates and the tree are read from pass a layer norm of
        their own first. The authors' code has none; the last layer's states pass one there, too.
        The style `paper` needs neither.
    layer_norm_eps : `float`, optional (default = `1e-5`)
        What layer norms add to the variance: 1e-6 in the authors' code.
    syntactic_head : `Lazy[SyntacticHead]`, optional (default = `deep_biaffine`)
        Predicts the tree: `deep_biaffine`, as in the paper, `shallow_biaffine` or `mlp`. A config
        leaves out `input_dim`, `arc_dim`, `label_dim`, `dropout` and `variational_dropout`, which
        the encoder sets. Not used without a `parse_layer`.
    """

    def __init__(
        self,
        input_dim: int,
        num_layers: int = 12,
        num_heads: int = 8,
        head_dim: int = 25,
        feedforward_hidden_dim: int = 800,
        feedforward_num_layers: int = 2,
        predicate_layer: int = 3,
        parse_layer: Optional[int] = 5,
        arc_dim: int = 500,
        label_dim: int = 100,
        input_dropout: float = 0.1,
        attention_dropout: float = 0.1,
        feedforward_dropout: float = 0.1,
        residual_dropout: float = 0.1,
        parse_dropout: float = 0.1,
        variational_dropout: bool = False,
        layer_style: str = "pre_norm",
        intermediate_norms: bool = True,
        layer_norm_eps: float = 1e-5,
        syntactic_head: Lazy[SyntacticHead] = Lazy(SyntacticHead),  # noqa: B008
    ) -> None:
        sizes = EncoderSizes(
            num_layers,
            num_heads,
            head_dim,
            feedforward_hidden_dim,
            feedforward_num_layers,
            predicate_layer,
            parse_layer,
            arc_dim,
            label_dim,
            layer_style,
            intermediate_norms,
            layer_norm_eps,
        )
        styles = EncoderLayer.list_available()
        if layer_style not in styles:
            raise ConfigurationError(
                f"layer_style is '{layer_style}'; expected one of {', '.join(styles)}"
            )
        layer_type = cast(Type[EncoderLayer], EncoderLayer.by_name(layer_style))
        dim = sizes.dim
        super().__init__(input_dim, dim)
        self.sizes = sizes
        self._input_projection = torch.nn.Linear(input_dim, dim)
        self._input_dropout = Dropout(input_dropout)

        def make_layer(number: int) -> torch.nn.Module:
            is_syntactic = number == parse_layer
            attention = MultiHeadAttention(
                dim, num_heads - is_syntactic, head_dim, attention_dropout, is_syntactic
            )
            feedforward = PositionwiseFeedForward(
                dim,
                feedforward_hidden_dim,
                feedforward_num_layers,
                feedforward_dropout,
                activate_output=layer_type.activates_output,
            )
            return layer_type(attention, dim, feedforward, residual_dropout)

        def make_read_norm(number: int, is_needed: bool = intermediate_norms) -> torch.nn.Module:
            # A `Sequential`, since AllenNLP's confidence checks mistake two norms called in a row
            # for one that undoes the other.
            is_needed = is_needed and not (number and layer_type.ends_in_norm)
            norms = [torch.nn.LayerNorm(self.read_dim(number))] if is_needed else []
            return torch.nn.Sequential(*norms)

        self._layers = torch.nn.ModuleList(make_layer(i + 1) for i in range(num_layers))
        self._predicate_norm = make_read_norm(predicate_layer)
        self._final_norm = make_read_norm(num_layers, True)
        self._syntactic_head: Optional[SyntacticHead] = None
        if parse_layer is not None:
            self._parse_norm = make_read_norm(sizes.num_below)
            self._mixture_dropout = Dropout(attention_dropout)
            self._syntactic_head = syntactic_head.construct(
                input_dim=self.read_dim(sizes.num_below),
                arc_dim=arc_dim,
                label_dim=label_dim,
                dropout=parse_dropout,
                variational_dropout=variational_dropout,
            )
        for module in self.modules():
            if isinstance(module, torch.nn.LayerNorm):
                module.eps = layer_norm_eps

    @property
    def syntactic_head(self) -> Optional[SyntacticHead]:
        return self._syntactic_head

    def read_dim(self, layer: int) -> int:
        return self.get_output_dim() if layer else self.get_input_dim()

    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        """Maps `(batch_size, length, input_dim)` to `(batch_size, length, output_dim)`."""
        encoded = self.encode(inputs, mask)
        return encoded.layout.unpack(encoded.states)

    def encode(
        self,
        inputs: torch.Tensor,
        mask: torch.BoolTensor,
        head_indices: Optional[torch.Tensor] = None,
        only_predicates: bool = False,
    ) -> EncodedSentences:
        """
        Encodes inputs, `(batch_size, length, input_dim)`, with a mask, `(batch_size, length)`.

        # Parameters

        head_indices : `torch.LongTensor`, optional
            Shape `(batch_size, length)`: the tree that the syntactic head attends to, in which the
            root is its own head; in training the gold tree (section 2.5). Tokens with a negative
            value attend by the predicted distribution. The scores of arcs do not depend on this
            tree.
        only_predicates : `bool`, optional (default = `False`)
            Whether to end with `predicate_layer`, whose states do not depend on a tree. They are
            then all that the result has.
        """
        read = self.read(inputs, mask, only_predicates)
        return read if only_predicates else self.attend(read, mask, head_indices)

    def read(
        self, inputs: torch.Tensor, mask: torch.BoolTensor, only_predicates: bool = False
    ) -> EncodedSentences:
        """
        The part of `encode` below the syntactic head. The `states` are those that its layer reads;
        in SA's encoder, those above all layers.
        """
        layout = lay_out(mask)
        read = predicate_states = layout.pack(inputs)
        positions = _sinusoids(mask.size(1), self.get_output_dim(), inputs.device)
        states = self._input_projection(read) + layout.of_each_position(positions)
        states = self._input_dropout(states)
        for number in range(self.sizes.num_below + 1):
            if number > 0:
                read = states = self._layers[number - 1](states, layout, None)
            if number == self.sizes.predicate_layer:
                predicate_states = self._predicate_norm(read)
                if only_predicates:
                    return EncodedSentences(predicate_states, predicate_states, None, layout)
        parse: Optional[ParseReading] = None
        if self._syntactic_head is not None:
            parse = self._syntactic_head(self._parse_norm(read), layout)
        return EncodedSentences(states, predicate_states, parse, layout)

    def attend(
        self,
        read: EncodedSentences,
        mask: torch.BoolTensor,
        head_indices: Optional[torch.Tensor] = None,
    ) -> EncodedSentences:
        """Completes `read`."""
        states, layout = read.states, read.layout
        mixture: Optional[SyntacticMixture] = None
        if read.parse is not None:
            mixture = self._make_mixture(read.parse.arc_scores, layout, head_indices, mask)
        for layer in self._layers[self.sizes.num_below :]:
            states = layer(states, layout, mixture)
            mixture = None
        return read._replace(states=self._final_norm(states))

    def _make_mixture(
        self,
        arc_scores: torch.Tensor,
        layout: TokenLayout,
        head_indices: Optional[torch.Tensor],
        mask: torch.BoolTensor,
    ) -> SyntacticMixture:
        if self.training and head_indices is not None and not (mask & (head_indices < 0)).any():
            # Teacher forcing gives every token its head, so the distribution is not needed.
            return SyntacticMixture(None, head_indices, self._mixture_dropout)
        if layout.attention_mask is not None:
            lowest = torch.finfo(arc_scores.dtype).min
            arc_scores = arc_scores.masked_fill(~layout.attention_mask.squeeze(0), lowest)
        return SyntacticMixture(arc_scores.softmax(dim=-1), head_indices, self._mixture_dropout)


def _sinusoids(length: int, dim: int, device: torch.device) -> torch.Tensor:
    """AllenNLP's `add_positional_features`, `(length, dim)`, for exported graphs, too."""
    steps = torch.arange(dim // 2, device=device)
    rates = torch.exp(steps * -(math.log(1e4) / (dim // 2 - 1)))
    angles = torch.arange(length, device=device).unsqueeze(1) * rates
    return torch.cat([angles.sin(), angles.cos()], dim=1)
