"""A bidirectional recurrence with its own derivatives."""

from typing import Any, List, Optional, Tuple

import torch
from torch.autograd.function import once_differentiable

from lisa_allennlp.nn.cpu.recurrent_cells import CELLS, Cell
from lisa_allennlp.nn.precision import in_product_precision


def recurrence_with_derivatives(
    projected: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    dropout_mask: torch.Tensor,
    token_mask: torch.Tensor,
    cell: str,
) -> torch.Tensor:
    """
    `lisa_allennlp.nn.recurrence.bidirectional_recurrence`. Autograd computes the gradient of the
    weights with one product per step; here one product covers all steps. The cells' derivatives
    also take fewer operations.

    >>> from lisa_allennlp.nn.recurrence import plain_recurrence
    >>> weights = torch.randn(2, 5, 1, 12), torch.randn(2, 3, 12), torch.zeros(2, 1, 12)
    >>> masks = torch.ones(2, 1, 3), torch.ones(5, 1, dtype=torch.bool)
    >>> states = recurrence_with_derivatives(*weights, *masks, cell="lstm")
    >>> torch.allclose(states, plain_recurrence(*weights, *masks, cell="lstm"), atol=1e-5)
    True
    """
    projected, weight, bias = map(in_product_precision, (projected, weight, bias))
    # The backward direction reads the tokens in reverse.
    kept = torch.stack([token_mask, token_mask.flip(0)], dim=1).unsqueeze(-1).to(dropout_mask.dtype)
    hidden = _Recurrence.apply(projected, weight, bias, dropout_mask, kept, CELLS[cell])
    return hidden


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        projected: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor,
        dropout_mask: torch.Tensor,
        kept: torch.Tensor,
        cell: Cell,
    ) -> torch.Tensor:
        _, length, batch_size, _ = projected.shape
        dim = dropout_mask.size(-1)
        dropped = projected.new_zeros(2, length, batch_size, dim)
        outputs = dropout_mask.new_empty(length, batch_size, 2, dim)
        memory = torch.zeros_like(dropout_mask)
        saved: List[Tuple[torch.Tensor, ...]] = []
        for step in range(length):
            recurrent = torch.baddbmm(bias, dropped[:, step], weight)
            inputs = _at(projected, step)
            hidden, memory, needed = cell.forward(
                inputs.to(memory.dtype), recurrent.to(memory.dtype), memory
            )
            hidden, memory = hidden * kept[step], memory * kept[step]
            outputs[step, :, 0] = hidden[0]
            outputs[length - 1 - step, :, 1] = hidden[1]
            if step + 1 < length:
                torch.mul(hidden, dropout_mask, out=hidden)
                dropped[:, step + 1] = hidden
            saved.append(needed)
        ctx.saved, ctx.cell = saved, cell
        ctx.save_for_backward(weight, dropout_mask, kept, dropped)
        return outputs.view(length, batch_size, 2 * dim)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_outputs: torch.Tensor) -> Tuple[Optional[torch.Tensor], ...]:
        weight, dropout_mask, kept, dropped = ctx.saved_tensors
        length, batch_size, _ = grad_outputs.shape
        grads = grad_outputs.view(length, batch_size, 2, -1).permute(2, 0, 1, 3)
        grad_projected = weight.new_empty(2, length, batch_size, weight.size(-1))
        grad_recurrent = torch.empty_like(grad_projected)
        transposed = weight.transpose(1, 2).contiguous()
        grad_hidden = torch.zeros_like(dropout_mask)
        grad_memory = torch.zeros_like(dropout_mask)
        for step in reversed(range(length)):
            grad_hidden = (grad_hidden + _at(grads, step)) * kept[step]
            grad_input, grad_gates, grad_memory = ctx.cell.backward(
                ctx.saved[step], grad_hidden, grad_memory * kept[step]
            )
            grad_projected[0, step] = grad_input[0]
            grad_projected[1, length - 1 - step] = grad_input[1]
            grad_recurrent[:, step] = grad_gates
            grad_hidden = torch.bmm(grad_recurrent[:, step], transposed) * dropout_mask
        flat = grad_recurrent.flatten(1, 2)
        grad_weight = torch.bmm(dropped.flatten(1, 2).transpose(1, 2), flat)
        return grad_projected, grad_weight, flat.sum(dim=1, keepdim=True), None, None, None


def _at(sequences: torch.Tensor, step: int) -> torch.Tensor:
    """The input of both directions at one step, from `(2, length, ...)` in text order."""
    return torch.stack([sequences[0, step], sequences[1, sequences.size(1) - 1 - step]])
