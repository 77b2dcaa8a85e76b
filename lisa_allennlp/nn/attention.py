"""Scaled dot-product attention."""

import torch

from lisa_allennlp.nn.device import is_on_cpu
from lisa_allennlp.nn.dropout import dropout


def scaled_dot_product_attention(
    queries: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
    mask: torch.Tensor,
    dropout_p: float = 0.0,
) -> torch.Tensor:
    """
    `softmax(Q K^T / sqrt(d)) V` (LISA, equations 2 and 3), with dropout on the weights. On a GPU it
    is PyTorch's fused kernel. On a CPU it runs in single precision even under autocast, since
    products this small gain nothing from reduced precision.

    >>> queries = keys = torch.zeros(1, 1, 3, 2)
    >>> values = torch.tensor([[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]])
    >>> mask = torch.tensor([[[[True, True, False]]]])
    >>> scaled_dot_product_attention(queries, keys, values, mask)[0, 0, 0]
    tensor([2., 3.])

    # Parameters

    queries : `torch.Tensor`
        Shape `(num_heads, batch_size, length, head_dim)`; keys and values have the same shape.
    mask : `torch.BoolTensor`
        Shape `(1, batch_size, 1, length)`: the tokens that may be attended to.

    # Returns

    `torch.Tensor`
        The same shape as the queries.
    """
    if not is_on_cpu(queries):
        return torch.nn.functional.scaled_dot_product_attention(
            queries, keys, values, attn_mask=mask, dropout_p=dropout_p
        )
    with torch.autocast("cpu", enabled=False):
        queries, keys, values = queries.float(), keys.float(), values.float()
        scores = queries @ keys.transpose(2, 3)
        scores = torch.add(attention_bias(mask), scores, alpha=queries.size(-1) ** -0.5)
        return dropout(scores.softmax(dim=-1), dropout_p) @ values


def attention_bias(mask: torch.Tensor) -> torch.Tensor:
    """
    A bias on the scores of a softmax, in the shape of the mask: 0 where the mask is true, the
    lowest number where it is false. Unlike `masked_fill`, adding it costs nothing in the backward
    pass.
    """
    bias = torch.zeros(mask.shape, device=mask.device)
    return bias.masked_fill_(~mask, torch.finfo(bias.dtype).min)
