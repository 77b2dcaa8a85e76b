"""Nadam that leaves the rows without gradient alone."""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import torch
from allennlp.training.optimizers import Optimizer, ParameterGroupsType, make_parameter_groups
from torch.optim.nadam import nadam


class _Update(NamedTuple):
    """One tensor to be updated in place, with what `nadam` reads and updates along with it."""

    parameter: torch.Tensor
    gradient: torch.Tensor
    first_moment: torch.Tensor
    second_moment: torch.Tensor
    momentum_product: torch.Tensor
    step: torch.Tensor

    def row_tensors(self) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """What of this has a row for each row of the parameter, and changes in a step."""
        return self.parameter, self.first_moment, self.second_moment

    def rows(self, index: torch.Tensor) -> "_Update":
        """A copy of some rows. The two scalars are shared, so that they move only once."""
        return _Update(
            self.parameter.index_select(0, index),
            self.gradient.index_select(0, index),
            self.first_moment.index_select(0, index),
            self.second_moment.index_select(0, index),
            self.momentum_product,
            self.step,
        )


@Optimizer.register("lazy_nadam")
class LazyNadamOptimizer(Optimizer, torch.optim.NAdam):
    """
    Nadam (Dozat 2016) as the published LISA models were trained with (paper, appendix A.4): the
    rows of a matrix that have no gradient in a step, such as the embeddings of the words that are
    not in the batch, keep their value and their moments in that step. A dense Nadam moves every
    word that was ever seen in every step, along its old momentum, and spends most of its time on
    them.

    The update itself is `torch.optim.NAdam`'s; where every row has a gradient the two are equal.
    The steps of the bias corrections are those of the whole parameter, not of a row, as in the
    authors' code. Gradients are dense, because gradient clipping does not take sparse ones; a row
    without gradient is one whose gradient is exactly 0. On a GPU the host waits for one number per
    matrix in a step, fetched together, and for the row numbers of each matrix that is updated in
    part.

    Registered as an `Optimizer` with name "lazy_nadam".

    # Parameters

    model_parameters : `List[Tuple[str, torch.nn.Parameter]]`
        Given by the trainer.
    parameter_groups : `ParameterGroupsType`, optional (default = `None`)
        As in AllenNLP's own optimizers. A group may have its own `lazy`.
    lr : `float`, optional (default = `0.002`)
    betas : `Tuple[float, float]`, optional (default = `(0.9, 0.98)`)
    eps : `float`, optional (default = `1e-12`)
    weight_decay : `float`, optional (default = `0.0`)
        An L2 penalty; a row without gradient does not decay either.
    momentum_decay : `float`, optional (default = `4e-3`)
        How fast Nadam's momentum approaches `betas[0]`.
    lazy : `bool`, optional (default = `True`)
        False updates every row of a two-dimensional parameter, as `torch.optim.NAdam`. Parameters
        of other dimensions are always updated in full.
    """

    def __init__(
        self,
        model_parameters: List[Tuple[str, torch.nn.Parameter]],
        parameter_groups: Optional[ParameterGroupsType] = None,
        lr: float = 0.002,
        betas: Tuple[float, float] = (0.9, 0.98),
        eps: float = 1e-12,
        weight_decay: float = 0.0,
        momentum_decay: float = 4e-3,
        lazy: bool = True,
    ) -> None:
        super().__init__(
            params=make_parameter_groups(model_parameters, parameter_groups),
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            momentum_decay=momentum_decay,
        )
        self.defaults["lazy"] = lazy
        for group in self.param_groups:
            group.setdefault("lazy", lazy)

    @torch.no_grad()
    def step(self, closure: Optional[Callable[[], Any]] = None) -> Any:
        """
        # Raises

        `RuntimeError`
            When a gradient is sparse or complex.
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            updates = self._updates(group)
            if group["lazy"]:
                _lazy_nadam(updates, group)
            else:
                _nadam(updates, group)
        return loss

    def _updates(self, group: Dict[str, Any]) -> List[_Update]:
        columns: Tuple[List[torch.Tensor], ...] = ([], [], [], [], [], [])
        # Raises for sparse gradients, and starts the state of parameters that have none.
        has_complex = self._init_group(group, *columns)
        if has_complex:
            raise RuntimeError(
                "The lazy_nadam optimizer updates real parameters, but one is complex: "
                "train it with another optimizer, in a group of a multi optimizer."
            )
        return [_Update(*update) for update in zip(*columns, strict=True)]


def _lazy_nadam(updates: List[_Update], group: Dict[str, Any]) -> None:
    """
    Updates the rows with a gradient. Where they are few, copies of them are updated and written
    back; where they are most, everything is updated and the other rows are put back: the cost of
    the copies is that of the smaller part.
    """
    todo = [update for update in updates if update.parameter.dim() != 2]
    matrices = [update for update in updates if update.parameter.dim() == 2]
    written_back = []
    for update, has_gradient, count in zip(matrices, *_rows_with_gradient(matrices), strict=True):
        num_rows = update.parameter.size(0)
        if count == num_rows:
            todo.append(update)
        elif 2 * count < num_rows:
            index = has_gradient.nonzero().squeeze(-1)
            part = update.rows(index)
            todo.append(part)
            written_back.append((update, index, part))
        else:
            index = has_gradient.logical_not().nonzero().squeeze(-1)
            todo.append(update)
            written_back.append((update, index, update.rows(index)))
    _nadam(todo, group)
    for update, index, part in written_back:
        for tensor, rows in zip(update.row_tensors(), part.row_tensors(), strict=True):
            tensor.index_copy_(0, index, rows)


def _rows_with_gradient(matrices: List[_Update]) -> Tuple[List[torch.Tensor], List[int]]:
    """The rows of each matrix whose gradient is not all 0 (bool), and their number."""
    if not matrices:
        return [], []
    # 4 times faster than any() on a CPU, and a row of NaN still counts as one with a gradient.
    masks = [update.gradient.abs().amax(dim=1).ne(0) for update in matrices]
    counts: List[int] = torch.stack([mask.sum() for mask in masks]).tolist()
    return masks, counts


def _nadam(updates: List[_Update], group: Dict[str, Any]) -> None:
    beta1, beta2 = group["betas"]
    nadam(
        [update.parameter for update in updates],
        [update.gradient for update in updates],
        [update.first_moment for update in updates],
        [update.second_moment for update in updates],
        [update.momentum_product for update in updates],
        [update.step for update in updates],
        beta1=beta1,
        beta2=beta2,
        lr=group["lr"],
        weight_decay=group["weight_decay"],
        momentum_decay=group["momentum_decay"],
        eps=group["eps"],
        maximize=group["maximize"],
        decoupled_weight_decay=group["decoupled_weight_decay"],
        foreach=group["foreach"],
        capturable=group["capturable"],
        differentiable=group["differentiable"],
    )
