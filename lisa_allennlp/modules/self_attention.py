"""One layer of the self-attention encoder, in its two styles."""

from typing import Optional

import torch

from lisa_allennlp.modules.dropout import Dropout
from lisa_allennlp.nn.attention import scaled_dot_product_attention
from lisa_allennlp.nn.token_layout import TokenLayout

LEAKY_RELU_SLOPE = 0.1


class PositionwiseFeedForward(torch.nn.Sequential):
    """
    Linear maps applied to every token alone, with leaky ReLUs (slope 0.1) between them.

    # Parameters

    dim : `int`
        The size of inputs and of outputs.
    hidden_dim : `int`
        The size between the maps.
    num_layers : `int`
        The number of maps: 2 in the paper, 3 in the authors' code.
    dropout : `float`
        Applied after every leaky ReLU between two maps.
    activate_output : `bool`, optional (default = `False`)
        Whether a leaky ReLU follows the last map too, as LISA section 2.1 has it.
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
    Scaled dot-product attention (LISA, equations 2 and 3) without an output projection. It may
    carry one more head whose weights come from outside: its values are projected with the others
    and mixed by `SyntacticMixture`, and its result stands last in the concatenation.

    # Parameters

    input_dim : `int`
    num_heads : `int`
        The number of heads whose weights are computed here.
    head_dim : `int`
    dropout : `float`
        Applied to the attention weights.
    has_syntactic_head : `bool`
        Whether values for one more head are needed.
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
        # Parameters

        inputs : `torch.Tensor`
            Shape `(num_tokens, input_dim)`.
        layout : `TokenLayout`
            Of the sentences that the tokens make.
        mixture : `SyntacticMixture`, optional
            The weights of the syntactic head.

        # Returns

        `torch.Tensor`
            The heads side by side: `(num_tokens, num_heads * head_dim [+ head_dim])`.
        """
        projected = layout.split_heads(self._projection(inputs), self._head_dim)
        queries, keys, values, *of_mixture = projected.split(self._sizes)
        attended = scaled_dot_product_attention(
            queries,
            keys,
            values,
            layout.attention_mask,
            dropout_p=self._dropout if self.training else 0.0,
        )
        if mixture is not None:
            mixed = mixture(of_mixture[0].squeeze(0)).unsqueeze(0)
            attended = torch.cat([attended, mixed.to(attended.dtype)])
        return layout.merge_heads(attended)


class SyntacticMixture:
    """
    How the syntactic head mixes the tokens' values: by its own distribution over heads, or, where
    a tree is given, by that tree's one-hot matrix (LISA section 2.2).

    # Parameters

    attention : `torch.Tensor`, optional
        Shape `(batch_size, length, length)`, rows sum to one. Not needed where every token has a
        given head.
    head_indices : `torch.LongTensor`, optional
        Shape `(batch_size, length)`. Negative for a token without a given head.
    """

    def __init__(
        self, attention: Optional[torch.Tensor], head_indices: Optional[torch.Tensor]
    ) -> None:
        self._attention = attention
        self._head_indices = head_indices

    def __call__(self, values: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        values : `torch.Tensor`
            Shape `(batch_size, length, head_dim)`.

        # Returns

        `torch.Tensor`
            Each token's weighted mean of the values, of the same shape.
        """
        if self._head_indices is None:
            return self._mix(values)
        index = self._head_indices.clamp(min=0).unsqueeze(-1).expand_as(values)
        of_given_heads = values.gather(1, index)
        if self._attention is None:
            return of_given_heads
        is_given = (self._head_indices >= 0).unsqueeze(-1)
        return torch.where(is_given, of_given_heads, self._mix(values))

    def _mix(self, values: torch.Tensor) -> torch.Tensor:
        """By the head's own distribution, in single precision."""
        assert self._attention is not None
        with torch.autocast(values.device.type, enabled=False):
            return torch.bmm(self._attention.float(), values.float())


class PreNormLayer(torch.nn.Module):
    """
    The stable form that the authors' code trains: layer norm, attention, output projection,
    residual; layer norm, feed-forward, residual. Whoever reads the states between layers
    normalises them (`read_norm` of the encoder).

    # Parameters

    attention : `MultiHeadAttention`
    dim : `int`
        The model's size.
    feedforward : `PositionwiseFeedForward`
    dropout : `float`
        Applied to both sub-layers' outputs.
    """

    def __init__(
        self,
        attention: MultiHeadAttention,
        dim: int,
        feedforward: PositionwiseFeedForward,
        dropout: float,
    ) -> None:
        super().__init__()
        self._attention = attention
        self._attention_norm = torch.nn.LayerNorm(dim)
        self._output_projection = torch.nn.Linear(dim, dim)
        self._feedforward = feedforward
        self._feedforward_norm = torch.nn.LayerNorm(dim)
        self._dropout = Dropout(dropout)

    def forward(
        self,
        states: torch.Tensor,
        layout: TokenLayout,
        mixture: Optional[SyntacticMixture] = None,
    ) -> torch.Tensor:
        """Shapes as in `MultiHeadAttention`; returns the next states."""
        attended = self._attention(self._attention_norm(states), layout, mixture)
        states = states + self._dropout(self._output_projection(attended))
        transformed = self._feedforward(self._feedforward_norm(states))
        return states + self._dropout(transformed)


class PaperLayer(torch.nn.Module):
    """
    The layer as LISA section 2.1 writes it: `s(j) = LN(s(j-1) + FF(heads(s(j-1))))`, the heads
    going straight into the feed-forward and one residual connection around both.

    # Parameters

    attention : `MultiHeadAttention`
    dim : `int`
        The model's size.
    feedforward : `PositionwiseFeedForward`
    dropout : `float`
        Applied to the feed-forward's output.
    """

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
        self._norm = torch.nn.LayerNorm(dim)
        self._dropout = Dropout(dropout)

    def forward(
        self,
        states: torch.Tensor,
        layout: TokenLayout,
        mixture: Optional[SyntacticMixture] = None,
    ) -> torch.Tensor:
        """Shapes as in `MultiHeadAttention`; returns the next states."""
        transformed = self._feedforward(self._attention(states, layout, mixture))
        return self._norm(states + self._dropout(transformed))
