import copy

import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.moving_average import MovingAverage
from allennlp.training.optimizers import Optimizer
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.training.optimization import LazyNadamOptimizer

OPTIONS = dict(lr=0.05, betas=(0.9, 0.98), eps=1e-12, momentum_decay=4e-3)


def network(seed: int = 1) -> torch.nn.Module:
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Embedding(30, 4), torch.nn.Linear(4, 3))


def set_gradients(model: torch.nn.Module, seed: int, rows=slice(None)) -> None:
    """Random gradients; of the embedding, in some rows only."""
    generator = torch.Generator().manual_seed(seed)
    for parameter in model.parameters():
        parameter.grad = torch.randn(parameter.shape, generator=generator)
    gradient = model[0].weight.grad
    kept = gradient[rows].clone()
    gradient.zero_()[rows] = kept


@pytest.mark.parametrize("lazy, weight_decay", [(True, 0.0), (True, 0.01), (False, 0.0)])
def test_equals_torchs_nadam(lazy, weight_decay):
    """Where every row has a gradient, or rows without one are not skipped."""
    ours, theirs = network(), network()
    options = {"weight_decay": weight_decay, **OPTIONS}
    own = LazyNadamOptimizer(list(ours.named_parameters()), lazy=lazy, **options)
    nadam = torch.optim.NAdam(theirs.parameters(), **options)
    for step in range(20):
        for model, optimizer in ((ours, own), (theirs, nadam)):
            set_gradients(model, step, slice(None) if lazy else [step, step + 1])
            optimizer.step()
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.equal(mine, other)


@pytest.mark.parametrize("lazy, weight_decay", [(True, 0.01), (False, 0.0)])
def test_without_schedule_the_momentum_is_tensorflows(lazy, weight_decay):
    """The update that TensorFlow documents for Adam with `use_nesterov`, in NumPy."""
    model = network()
    optimizer = LazyNadamOptimizer(
        list(model.named_parameters()),
        weight_decay=weight_decay,
        lazy=lazy,
        momentum_schedule=False,
        **OPTIONS,
    )
    beta1, beta2 = OPTIONS["betas"]
    values = [parameter.detach().double().numpy().copy() for parameter in model.parameters()]
    first, second = ([numpy.zeros_like(value) for value in values] for _ in range(2))
    random = numpy.random.RandomState(1)
    for t in range(1, 40):
        # Of the embedding, some rows have a gradient.
        rows = random.permutation(30)[: random.randint(31)]
        set_gradients(model, t, rows)
        optimizer.step()
        rate = OPTIONS["lr"] * numpy.sqrt(1 - beta2**t) / (1 - beta1**t)
        for i, parameter in enumerate(model.parameters()):
            where = rows if lazy and i == 0 else slice(None)
            g = parameter.grad.double().numpy()[where] + weight_decay * values[i][where]
            m, v = first[i], second[i]
            m[where] = beta1 * m[where] + (1 - beta1) * g
            v[where] = beta2 * v[where] + (1 - beta2) * g * g
            nesterov = beta1 * m[where] + (1 - beta1) * g
            # 0 / 0 for rows that have not had a gradient yet.
            v_root = numpy.maximum(numpy.sqrt(v[where]), 1e-300)
            values[i][where] -= rate * nesterov / v_root
    for parameter, expected in zip(model.parameters(), values, strict=True):
        numpy.testing.assert_allclose(parameter.detach().numpy(), expected, rtol=1e-4, atol=1e-5)


def test_the_norm_of_an_update_is_clipped():
    """It has the direction and, below the limit, the length that it has without a limit."""
    clipped, free = network(), network()
    options = {"adam_by_row": True, **OPTIONS}
    optimizers = [
        LazyNadamOptimizer(list(clipped.named_parameters()), update_norm=0.3, **options),
        LazyNadamOptimizer(list(free.named_parameters()), **options),
    ]
    lengths = []
    for step in range(12):
        moved = []
        for model, optimizer in zip((clipped, free), optimizers, strict=True):
            before = torch.nn.utils.parameters_to_vector(model.parameters())
            set_gradients(model, step, range(min(30, step * step)))
            optimizer.step()
            after = torch.nn.utils.parameters_to_vector(model.parameters())
            moved.append((after - before).detach())
        lengths.append(float(moved[1].norm()))
        expected = moved[1] * min(1.0, 0.3 / lengths[-1])
        torch.testing.assert_close(moved[0], expected, rtol=1e-3, atol=1e-5)
    assert min(lengths) < 0.3 < max(lengths)


def test_updates_of_nadam_are_not_clipped():
    with pytest.raises(ConfigurationError, match="update_norm: found 1.0 without adam_by_row"):
        LazyNadamOptimizer(list(network().named_parameters()), update_norm=1.0)


@settings(max_examples=20)
@given(st.lists(st.sets(st.integers(0, 29), max_size=30), min_size=1, max_size=6))
def test_adam_by_row_is_torchs_adam_of_each_row_alone(steps):
    """With `eps` so small that its place does not matter."""
    options = {"lr": 0.05, "betas": (0.9, 0.98), "eps": 1e-30}
    model, other = network(), network()
    own = LazyNadamOptimizer(list(model.named_parameters()), adam_by_row=True, **options)
    rows = [torch.nn.Parameter(row.clone()) for row in other[0].weight.detach()]
    each = [torch.optim.Adam([row], **options) for row in rows]
    rest = torch.optim.Adam(other[1].parameters(), **options)
    for t, chosen in enumerate(steps, start=1):
        set_gradients(model, t, sorted(chosen))
        set_gradients(other, t)
        own.step()
        rest.step()
        for row in chosen:
            rows[row].grad = model[0].weight.grad[row].clone()
            each[row].step()
    expected = [torch.stack(rows), *other[1].parameters()]
    for mine, theirs in zip(model.parameters(), expected, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-4, atol=1e-5)


def test_adam_by_row_has_eps_within_the_root_and_can_be_saved():
    options = {"lr": 1.0, "betas": (0.0, 0.0), "eps": 9.0, "adam_by_row": True}
    words = torch.nn.Parameter(torch.zeros(2, 1))
    optimizer = LazyNadamOptimizer([("words", words)], **options)
    words.grad = torch.tensor([[4.0], [0.0]])
    optimizer.step()
    # Without momentum a row moves by g / sqrt(g^2 + eps).
    assert words.tolist() == [[pytest.approx(-4 / 5)], [0]]
    loaded = LazyNadamOptimizer([("words", words)], **options)
    loaded.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    assert loaded.state[words]["row_steps"].tolist() == [[1], [0]]


def test_a_row_of_nan_is_not_overlooked():
    model = network()
    optimizer = LazyNadamOptimizer(list(model.named_parameters()), **OPTIONS)
    set_gradients(model, 1, [3])
    model[0].weight.grad[5, 0] = float("nan")
    optimizer.step()
    assert model[0].weight[5].isnan().any()
    assert not model[0].weight[[3, 6]].isnan().any()


def test_a_configuration_can_make_one_group_lazy():
    model = network()
    params = Params({"type": "lazy_nadam", "lr": 0.1, "lazy": False})
    params["parameter_groups"] = [[["^0"], {"lazy": True}]]
    optimizer = Optimizer.from_params(params, model_parameters=list(model.named_parameters()))
    assert [group["lazy"] for group in optimizer.param_groups] == [True, False]


def test_the_decay_in_closed_form():
    first, second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    groups = [{"params": first.parameters()}, {"params": second.parameters(), "lr": 2e-4}]
    params = {"type": "exponential_decay", "decay_rate": 0.75, "decay_steps": 5000}
    optimizer = torch.optim.Adam(groups, lr=2e-3)
    scheduler, resumed = (
        LearningRateScheduler.from_params(Params({**params}), optimizer=optimizer) for _ in range(2)
    )
    for step in (1, 1000, 5000, 12000):
        scheduler.step_batch(step)
        # Epochs change nothing.
        scheduler.step(metric=0.5)
        rates = [group["lr"] for group in scheduler.optimizer.param_groups]
        expected = 2e-3 * 0.75 ** (step / 5000)
        assert rates == pytest.approx([expected, expected / 10], rel=1e-12)
    # Without a number, it goes on from where it was saved.
    resumed.load_state_dict(scheduler.state_dict())
    resumed.step_batch()
    assert optimizer.param_groups[0]["lr"] == pytest.approx(2e-3 * 0.75 ** (12001 / 5000))


def test_the_average_is_allennlps():
    torch.manual_seed(0)
    parameters = [("weight", torch.nn.Parameter(torch.randn(5, 3)))]
    averages = [
        MovingAverage.by_name(name)(parameters, decay=0.9)
        for name in ("exponential_in_place", "exponential")
    ]
    for step in range(30):
        parameters[0][1].data += torch.randn(5, 3)
        for average in averages:
            # The first updates weigh more; without a number, all weigh the same.
            average.apply(step if step < 20 else None)
    found = []
    for average in averages:
        average.assign_average_value()
        found.append(parameters[0][1].detach().clone())
        average.restore()
    torch.testing.assert_close(*found)


@given(
    steps=st.lists(st.sets(st.integers(0, 29), max_size=30), min_size=1, max_size=6),
    weight_decay=st.sampled_from([0.0, 0.01]),
)
def test_a_row_moves_by_the_written_out_update_when_it_has_a_gradient_and_else_not(
    steps, weight_decay
):
    model = network()
    weight = model[0].weight
    optimizer = LazyNadamOptimizer(
        list(model.named_parameters()), weight_decay=weight_decay, **OPTIONS
    )
    expected = [LazyRow(row, weight_decay) for row in weight.detach().double()]
    momentum_product = 1.0
    for t, rows in enumerate(steps, start=1):
        set_gradients(model, t, sorted(rows))
        untouched = sorted(set(range(30)) - rows)
        before = weight.detach().clone()
        moments = copy.deepcopy(optimizer.state[weight])
        momentum_product *= momentum(t)
        for row in rows:
            expected[row].step(weight.grad[row].double(), t, momentum_product)
        optimizer.step()
        assert torch.equal(weight[untouched], before[untouched])
        for name in ("exp_avg", "exp_avg_sq") if moments else ():
            moment = optimizer.state[weight][name]
            assert torch.equal(moment[untouched], moments[name][untouched])
    actual = torch.stack([row.value for row in expected])
    torch.testing.assert_close(weight.double(), actual, rtol=1e-4, atol=1e-5)


def momentum(t: int) -> float:
    return 0.9 * (1 - 0.5 * 0.96 ** (t * 4e-3))


class LazyRow:
    """Nadam (Dozat 2016) of one row, which sees only the steps in which it has a gradient."""

    def __init__(self, value: torch.Tensor, weight_decay: float) -> None:
        self.value = value.clone()
        self.weight_decay = weight_decay
        self.first, self.second = torch.zeros(2, *value.shape, dtype=value.dtype)

    def step(self, gradient: torch.Tensor, t: int, momentum_product: float) -> None:
        gradient = gradient + self.weight_decay * self.value
        self.first = 0.9 * self.first + 0.1 * gradient
        self.second = 0.98 * self.second + 0.02 * gradient**2
        momentum_next = momentum(t + 1)
        direction = momentum_next * self.first / (1 - momentum_product * momentum_next)
        direction += (1 - momentum(t)) * gradient / (1 - momentum_product)
        scale = (self.second / (1 - 0.98**t)).sqrt() + 1e-12
        self.value = self.value - 0.05 * direction / scale
