"""Nadam with lazy updates of embedding rows, a schedule for its rate, and moving averages."""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import torch
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.moving_average import ExponentialMovingAverage, MovingAverage
from allennlp.training.optimizers import Optimizer, ParameterGroupsType, make_parameter_groups
from torch.optim.nadam import nadam

from lisa_allennlp.common.errors import ConfigurationError

_OPTIONS = (
    *("lr", "weight_decay", "momentum_decay", "eps", "maximize", "decoupled_weight_decay"),
    *("foreach", "capturable", "differentiable"),
)


class _Update(NamedTuple):
    parameter: torch.Tensor
    gradient: torch.Tensor
    first_moment: torch.Tensor
    second_moment: torch.Tensor
    momentum_product: torch.Tensor
    step: torch.Tensor

    def rows(self, index: torch.Tensor) -> "_Update":
        """A copy of some rows. The scalars are shared, so a step updates them once."""
        rows = [tensor.index_select(0, index) for tensor in self[:4]]
        return _Update._make([*rows, *self[4:]])

    def replace_rows(self, index: torch.Tensor, rows: "_Update") -> None:
        for i in (0, 2, 3):
            self[i].index_copy_(0, index, rows[i])


class _Move(NamedTuple):
    parameter: torch.Tensor
    rows: Any
    by: torch.Tensor


@Optimizer.register("lazy_nadam")
class LazyNadamOptimizer(Optimizer, torch.optim.NAdam):
    """
    Nadam (Dozat 2016) with the lazy updates that trained the published LISA models (appendix A.4).
    Matrix rows without a gradient in a step, such as the embeddings of words that are not in the
    batch, keep their value and their moments. A dense Nadam moves every word seen so far in every
    step, along its old momentum, and spends most of its time on these words.

    The update is that of `torch.optim.NAdam`, with equal results if every row has a gradient. Its
    momentum follows Dozat's schedule: it begins at half of `betas[0]` and comes within a tenth of
    it after 10,000 steps. The authors' code, TensorFlow's Adam with Nesterov momentum, has no
    schedule; `momentum_schedule: false` is their update. Their first code base, LISA-v1, uses Adam
    without Nesterov momentum; `adam_by_row` is its update.

    The bias corrections count the steps of the whole parameter, not of a row, as in the authors'
    later code. Gradients are dense, because gradient clipping does not accept sparse ones. A row
    has no gradient if its gradient is exactly 0. On a GPU, the host waits in each step for one
    number per matrix, all fetched together, and for the row indices of every partly updated matrix.

    # Parameters

    parameter_groups : `ParameterGroupsType`, optional (default = `None`)
        A group may set its own `lazy`, `momentum_schedule` and `adam_by_row`.
    momentum_decay : `float`, optional (default = `4e-3`)
        How fast the scheduled momentum approaches `betas[0]`. 0 holds it at half of `betas[0]`.
    momentum_schedule : `bool`, optional (default = `True`)
        Whether the momentum follows Dozat's schedule. If not, it is `betas[0]` throughout, and both
        terms of the update have Adam's bias correction.
    adam_by_row : `bool`, optional (default = `False`)
        Whether the update is that of LISA-v1: Adam's, where `eps` is added to the second moment
        within the square root, and where the bias corrections of a lazily updated row count only
        its own steps. It has no momentum schedule.
    update_norm : `float`, optional (default = `None`)
        The largest norm of the update of all parameters, with `adam_by_row` only: 1 in LISA-v1, 5
        in the parser of Dozat & Manning, where `_finish` of `base_optimizer.py` clips updates
        instead of gradients. The trainer's `grad_norm` should then be `false`.
    lazy : `bool`, optional (default = `True`)
        Whether to skip the rows without a gradient. Only matrices are updated in part; other
        parameters are always updated in full.
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
        momentum_schedule: bool = True,
        adam_by_row: bool = False,
        update_norm: Optional[float] = None,
        lazy: bool = True,
    ) -> None:
        if update_norm is not None and not adam_by_row:
            raise ConfigurationError(
                f"the optimizer's update_norm: found {update_norm} without adam_by_row; expected "
                "both, or the trainer's grad_norm"
            )
        super().__init__(
            params=make_parameter_groups(model_parameters, parameter_groups),
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            momentum_decay=momentum_decay,
        )
        self._update_norm = update_norm
        ours = {"lazy": lazy, "momentum_schedule": momentum_schedule, "adam_by_row": adam_by_row}
        self.defaults.update(ours)
        for group in self.param_groups:
            for name, value in ours.items():
                group.setdefault(name, value)

    @torch.no_grad()
    def step(self, closure: Optional[Callable[[], Any]] = None) -> Any:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        moves: List[_Move] = []
        for group in self.param_groups:
            updates = self._updates(group)
            if group["adam_by_row"]:
                moves += _adam_by_row(updates, group, self.state)
            elif group["lazy"]:
                _lazy_nadam(updates, group)
            else:
                _update_fully(updates, group)
        if self._update_norm is not None and moves:
            norm = torch.stack([torch.linalg.vector_norm(move.by) for move in moves]).norm()
            factor = (self._update_norm / norm).clamp(max=1)
            moves = [move._replace(by=factor * move.by) for move in moves]
        for move in moves:
            move.parameter[move.rows] -= move.by
        return loss

    def _updates(self, group: Dict[str, Any]) -> List[_Update]:
        columns: Tuple[List[torch.Tensor], ...] = ([], [], [], [], [], [])
        # Raises for sparse gradients and initialises the state of new parameters.
        self._init_group(group, *columns)
        return [_Update(*update) for update in zip(*columns, strict=True)]


def _lazy_nadam(updates: List[_Update], group: Dict[str, Any]) -> None:
    """
    Updates the rows with a gradient. Copies the smaller part: rows to update and write back, or
    rows to restore.
    """
    todo = [update for update in updates if update.parameter.dim() != 2]
    matrices = [update for update in updates if update.parameter.dim() == 2]
    written_back = []
    for update, has_gradient, count in zip(matrices, *_rows_with_gradient(matrices), strict=True):
        num_rows = update.parameter.size(0)
        is_minority = 2 * count < num_rows
        if count == num_rows:
            todo.append(update)
            continue
        chosen = has_gradient if is_minority else has_gradient.logical_not()
        index = chosen.nonzero().squeeze(-1)
        part = update.rows(index)
        todo.append(part if is_minority else update)
        written_back.append((update, index, part))
    _update_fully(todo, group)
    for update, index, part in written_back:
        update.replace_rows(index, part)


def _rows_with_gradient(matrices: List[_Update]) -> Tuple[List[torch.Tensor], List[int]]:
    """A mask of the rows with a nonzero gradient, and their number, per matrix."""
    if not matrices:
        return [], []
    # Faster than any() on a CPU and without a copy; a row of NaN counts as one with a gradient.
    masks = [u.gradient.amax(dim=1).ne(0) | u.gradient.amin(dim=1).ne(0) for u in matrices]
    counts: List[int] = torch.stack([mask.sum() for mask in masks]).tolist()
    return masks, counts


def _update_fully(updates: List[_Update], group: Dict[str, Any]) -> None:
    if not updates:
        return
    columns: Any = [list(column) for column in zip(*updates, strict=True)]
    if group["momentum_schedule"]:
        beta1, beta2 = group["betas"]
        nadam(*columns, beta1=beta1, beta2=beta2, **{name: group[name] for name in _OPTIONS})
    else:
        _adam_with_nesterov_momentum(group, *columns)


def _adam_with_nesterov_momentum(
    group: Dict[str, Any],
    parameters: List[torch.Tensor],
    gradients: List[torch.Tensor],
    first: List[torch.Tensor],
    second: List[torch.Tensor],
    _: List[torch.Tensor],
    steps: List[torch.Tensor],
) -> None:
    """
    With gradient g, moments m and v and step t, a parameter moves by

        -lr * (beta1 m + (1 - beta1) g) / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + eps)
    """
    beta1, beta2 = group["betas"]
    torch._foreach_add_(steps, 1)
    times = [step.item() for step in steps]
    if group["weight_decay"]:
        decay = torch._foreach_mul(parameters, group["weight_decay"])
        gradients = list(torch._foreach_add(gradients, decay))
    torch._foreach_lerp_(first, gradients, 1 - beta1)
    torch._foreach_mul_(second, beta2)
    torch._foreach_addcmul_(second, gradients, gradients, 1 - beta2)
    scales = torch._foreach_div(second, [1 - beta2**time for time in times])
    torch._foreach_sqrt_(scales)
    torch._foreach_add_(scales, group["eps"])
    rates = [-group["lr"] / (1 - beta1**time) for time in times]
    torch._foreach_addcdiv_(parameters, first, scales, [rate * beta1 for rate in rates])
    torch._foreach_addcdiv_(parameters, gradients, scales, [rate * (1 - beta1) for rate in rates])


def _adam_by_row(updates: List[_Update], group: Dict[str, Any], states: Any) -> List[_Move]:
    """
    With gradient g, moments m and v and the step t of a row, the row is to move by

        -lr * m / (1 - beta1^t) / sqrt(v / (1 - beta2^t) + eps)
    """
    beta1, beta2 = group["betas"]
    moves = []
    for parameter, gradient, first, second, _, step in updates:
        step += 1
        rows: Any = ...
        times = step
        if group["lazy"] and parameter.dim() == 2:
            rows = gradient.abs().amax(dim=1).nonzero().squeeze(-1)
            state = states[parameter]
            counts = state.setdefault("row_steps", torch.zeros_like(parameter[:, :1]))
            counts[rows] += 1
            times = counts[rows]
        slopes = gradient[rows] + group["weight_decay"] * parameter[rows]
        first[rows] = first[rows].lerp(slopes, 1 - beta1)
        second[rows] = second[rows].lerp(slopes.square(), 1 - beta2)
        scale = (second[rows] / (1 - beta2**times) + group["eps"]).sqrt()
        by = group["lr"] * first[rows] / (1 - beta1**times) / scale
        moves.append(_Move(parameter, rows, by))
    return moves


@LearningRateScheduler.register("exponential_decay")
class ExponentialDecay(LearningRateScheduler):
    """
    Sets the rate to `lr * decay_rate ** (step / decay_steps)` after `step` updates, the annealing
    of Dozat & Manning (2017). AllenNLP's `exponential` decays once per epoch instead.
    """

    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        decay_rate: float = 0.75,
        decay_steps: int = 5000,
        last_epoch: int = -1,
    ) -> None:
        self._decay_rate = decay_rate
        self._decay_steps = decay_steps
        self._num_updates = 0
        super().__init__(optimizer, last_epoch)

    def get_values(self) -> List[float]:
        scale = self._decay_rate ** (self._num_updates / self._decay_steps)
        return [rate * scale for rate in self.base_values]

    def step(self, metric: Optional[float] = None) -> None:
        # The trainer calls this after every epoch, but the rate depends on updates only.
        pass

    def step_batch(self, batch_num_total: Optional[int] = None) -> None:
        """Sets the rate after so many updates; by default one more than at the last call."""
        if batch_num_total is None:
            batch_num_total = self._num_updates + 1
        self._num_updates = batch_num_total
        for group, rate in zip(self.optimizer.param_groups, self.get_values(), strict=True):
            group["lr"] = rate


@MovingAverage.register("exponential_in_place")
class ExponentialInPlace(ExponentialMovingAverage):
    """
    AllenNLP's `exponential` moving average without its copy of each parameter in every step: with
    120,000 word vectors, a tenth of a step's time on a CPU. Rounds differently.
    """

    @torch.no_grad()
    def apply(self, num_updates: Optional[int] = None) -> None:
        """Moves the averages towards the weights, by less if there were few updates before."""
        decay = self._decay
        if num_updates is not None:
            warm = (self._numerator + num_updates) / (self._denominator + num_updates)
            decay = min(decay, warm)
        for name, parameter in self._parameters:
            self._shadows[name].lerp_(parameter, 1 - decay)
