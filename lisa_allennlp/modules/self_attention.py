"""The parts of a self-attention layer, and the layer in three styles."""

from typing import Callable, ClassVar, Optional

import torch
from allennlp.common import Registrable

from lisa_allennlp.modules.dropout import Dropout
from lisa_allennlp.nn.token_layout import TokenLayout

LEAKY_RELU_SLOPE = 0.1


class PositionwiseFeedForward(torch.nn.Sequential):
    """
    Linear maps applied to every token separately, with leaky ReLUs (slope 0.1) and dropout between
    them: 2 maps in the paper, 3 in the authors' code. With `activate_output` a leaky ReLU follows
    the last map too, as in LISA section 2.1.
    """

    def __init__(
        self,
        dim: int,
        hidden_dim: int,
        num_layers: int,
        dropout: float,
        activate_output: bool = False,
    ) -> None:
        sizes = [dim] + [hidden_dim] * (num_layers - 1) + [dim]
        modules: list = []
        for i in range(num_layers):
            modules.append(torch.nn.Linear(sizes[i], sizes[i + 1]))
            if i < num_layers - 1 or activate_output:
                modules.append(torch.nn.LeakyReLU(LEAKY_RELU_SLOPE, inplace=True))
            if i < num_layers - 1:
                modules.append(Dropout(dropout))
        super().__init__(*modules)


class MultiHeadAttention(torch.nn.Module):
    """
    Scaled dot-product attention, `softmax(Q K^T / sqrt(d)) V` for each of `num_heads` heads (LISA,
    equations 2 and 3), without an output projection. Dropout applies to the attention weights. A
    syntactic head is one more head, last in the concatenation: the layer projects its values, and a
    `SyntacticMixture` has its weights.
    """

    def __init__(
        self,
        input_dim: int,
        num_heads: int,
        head_dim: int,
        dropout: float,
        has_syntactic_head: bool,
    ) -> None:
        super().__init__()
        self._head_dim = head_dim
        self._dropout = dropout
        self._sizes = [num_heads] * 3 + [1] * has_syntactic_head
        self._projection = torch.nn.Linear(input_dim, sum(self._sizes) * head_dim)

    def forward(
        self,
        inputs: torch.Tensor,
        layout: TokenLayout,
        mixture: Optional["SyntacticMixture"] = None,
    ) -> torch.Tensor:
        """
        Maps `(num_tokens, input_dim)` to `(num_tokens, num_heads * head_dim)`; a mixture adds a
        head.
        """
        num_heads = sum(self._sizes)
        projected = layout.split_heads(self._projection(inputs), num_heads, self._head_dim)
        queries, keys, values, *of_mixture = projected.split(self._sizes)
        scale = self._head_dim**-0.5
        if layout.attention_mask is None:
            # In an exported graph, this takes fewer operations.
            weights = torch.softmax(queries @ keys.transpose(-1, -2) * scale, dim=-1)
            attended = weights @ values
        else:
            attended = torch.nn.functional.scaled_dot_product_attention(
                queries,
                keys,
                values,
                attn_mask=layout.attention_mask,
                dropout_p=self._dropout if self.training else 0.0,
                scale=scale,
            )
        if mixture is not None:
            mixed = mixture(of_mixture[0][0]).unsqueeze(0)
            attended = torch.cat([attended, mixed.to(attended.dtype)])
        return layout.merge_heads(attended)


class SyntacticMixture:
    """
    Mixes the values of the syntactic head. A token with a given head takes the value of that head
    (the one-hot matrix of LISA section 2.2). Any other token takes the mean of all values, weighted
    by the predicted distribution over heads.

    >>> attention = torch.tensor([[[0.25, 0.5, 0.25]]]).expand(1, 3, 3)
    >>> mixture = SyntacticMixture(attention, head_indices=torch.tensor([[2, -1, 0]]))
    >>> mixture(torch.tensor([[[10.0], [20.0], [50.0]]])).squeeze(-1)
    tensor([[50., 25., 10.]])

    # Parameters

    attention : `torch.Tensor`, optional
        Shape `(batch_size, length, length)`; each row sums to one. Not needed if every token has a
        given head.
    head_indices : `torch.LongTensor`, optional
        Shape `(batch_size, length)`; negative for a token without a given head.
    dropout : `Callable`, optional
        The dropout of the weights, of which a given head has one.
    """

    def __init__(
        self,
        attention: Optional[torch.Tensor],
        head_indices: Optional[torch.Tensor],
        dropout: Callable[[torch.Tensor], torch.Tensor] = lambda weights: weights,
    ) -> None:
        self._attention = attention
        self._head_indices = head_indices
        self._dropout = dropout

    def __call__(self, values: torch.Tensor) -> torch.Tensor:
        """Maps values, shape `(batch_size, length, head_dim)`, to each token's mixed value."""
        if self._head_indices is None:
            return self._mix(values)
        index = self._head_indices.clamp(min=0).unsqueeze(-1)
        weights = self._dropout(torch.ones_like(values[..., :1]))
        of_given_heads = weights * values.gather(1, index.expand_as(values))
        if self._attention is None:
            return of_given_heads
        is_given = (self._head_indices >= 0).unsqueeze(-1)
        return torch.where(is_given, of_given_heads, self._mix(values))

    def _mix(self, values: torch.Tensor) -> torch.Tensor:
        assert self._attention is not None
        with torch.autocast(values.device.type, enabled=False):
            return torch.bmm(self._dropout(self._attention.float()), values.float())


class EncoderLayer(torch.nn.Module, Registrable):
    """
    A layer of the encoder, made of an attention and a feed-forward, which the encoder makes for it.
    Its registered name is the encoder's `layer_style`. Subclasses implement `forward` and have the
    same parameters: `dim` is the size of the states, `dropout` the encoder's `residual_dropout`.
    """

    activates_output: ClassVar[bool] = False
    """Whether the feed-forward ends in a leaky ReLU."""

    ends_in_norm: ClassVar[bool] = False
    """Whether the encoder need not normalise the states that it reads."""

    def __init__(
        self,
        attention: MultiHeadAttention,
        dim: int,
        feedforward: PositionwiseFeedForward,
        dropout: float,
    ) -> None:
        super().__init__()
        self._attention = attention
        self._feedforward = feedforward
        self._dropout = Dropout(dropout)

    def forward(
        self,
        states: torch.Tensor,
        layout: TokenLayout,
        mixture: Optional[SyntacticMixture] = None,
    ) -> torch.Tensor:
        """Maps states, `(num_tokens, dim)`, to the next; in `parse_layer` with a mixture."""
        raise NotImplementedError


@EncoderLayer.register("pre_norm")
class PreNormLayer(EncoderLayer):
    """
    The usual stable form: layer norm, attention, output projection, residual; then layer norm,
    feed-forward, residual. The states between layers are not normalised, so the encoder normalises
    the layers that it reads.

    Dropout applies to the output of each sub-layer.
    """

    def __init__(
        self,
        attention: MultiHeadAttention,
        dim: int,
        feedforward: PositionwiseFeedForward,
        dropout: float,
    ) -> None:
        super().__init__(attention, dim, feedforward, dropout)
        self._attention_norm = torch.nn.LayerNorm(dim)
        self._output_projection = torch.nn.Linear(dim, dim)
        self._feedforward_norm = torch.nn.LayerNorm(dim)

    def forward(
        self,
        states: torch.Tensor,
        layout: TokenLayout,
        mixture: Optional[SyntacticMixture] = None,
    ) -> torch.Tensor:
        attended = self._attention(self._attention_norm(states), layout, mixture)
        states = states + self._dropout(self._output_projection(attended))
        transformed = self._feedforward(self._feedforward_norm(states))
        return states + self._dropout(transformed)


@EncoderLayer.register("authors")
class AuthorsLayer(PreNormLayer):
    """
    The layer as in the authors' code: `PreNormLayer`, but the residual connections carry the
    normalised states, so that a sub-layer computes `LN(s) + f(LN(s))`.
    """

    def forward(
        self,
        states: torch.Tensor,
        layout: TokenLayout,
        mixture: Optional[SyntacticMixture] = None,
    ) -> torch.Tensor:
        states = self._attention_norm(states)
        attended = self._attention(states, layout, mixture)
        states = self._feedforward_norm(states + self._dropout(self._output_projection(attended)))
        return states + self._dropout(self._feedforward(states))


@EncoderLayer.register("paper")
class PaperLayer(EncoderLayer):
    """
    The layer as in LISA section 2.1, `s(j) = LN(s(j-1) + FF(heads(s(j-1))))`: the heads feed the
    feed-forward directly, and one residual connection spans both.

    Dropout applies to the output of the feed-forward.
    """

    activates_output = True
    ends_in_norm = True

    def __init__(
        self,
        attention: MultiHeadAttention,
        dim: int,
        feedforward: PositionwiseFeedForward,
        dropout: float,
    ) -> None:
        super().__init__(attention, dim, feedforward, dropout)
        self._norm = torch.nn.LayerNorm(dim)

    def forward(
        self,
        states: torch.Tensor,
        layout: TokenLayout,
        mixture: Optional[SyntacticMixture] = None,
    ) -> torch.Tensor:
        transformed = self._feedforward(self._attention(states, layout, mixture))
        return self._norm(states + self._dropout(transformed))
