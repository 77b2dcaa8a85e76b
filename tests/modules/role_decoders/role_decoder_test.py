import itertools
from typing import List, Tuple

import pytest
import torch
from allennlp.common import FromParams, Lazy, Params
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.formats.roles import allowed_starts, allowed_transitions, bio_to_spans
from lisa_allennlp.modules.role_decoders import (
    CrfRoleDecoder,
    GreedyRoleDecoder,
    RoleDecoder,
    VerbLabels,
    ViterbiRoleDecoder,
)

# O, B-A0, I-A0, B-A1, I-A1
ALLOWED = torch.tensor(
    [
        [True, True, False, True, False],
        [True, True, True, True, False],
        [True, True, True, True, False],
        [True, True, False, True, True],
        [True, True, False, True, True],
    ]
)
STARTS = torch.tensor([True, True, False, True, False])
DECODERS = [CrfRoleDecoder, GreedyRoleDecoder, ViterbiRoleDecoder]


class Owner(FromParams):
    """Has a role decoder as a model has one."""

    def __init__(self, role_decoder: Lazy[RoleDecoder]) -> None:
        self.decoder = role_decoder.construct(allowed_transitions=ALLOWED, allowed_starts=STARTS)


@pytest.mark.parametrize(
    "params, expected",
    [
        ({"role_decoder": {}}, ViterbiRoleDecoder),
        ({"role_decoder": {"type": "greedy"}}, GreedyRoleDecoder),
        ({"role_decoder": {"type": "crf"}}, CrfRoleDecoder),
        ({"role_decoder": {"type": "viterbi", "transitions": "none"}}, ViterbiRoleDecoder),
    ],
)
def test_a_configuration_chooses_the_decoder(params, expected):
    assert type(Owner.from_params(Params(params)).decoder) is expected


@pytest.mark.parametrize("decoder_class", [GreedyRoleDecoder, ViterbiRoleDecoder])
@pytest.mark.parametrize("label_smoothing", [0.0, 0.1])
def test_loss_is_the_summed_cross_entropy_of_the_known_roles(decoder_class, label_smoothing):
    torch.manual_seed(1)
    logits = torch.randn(2, 3, 5)
    roles = torch.tensor([[0, 1, 2], [-100, 3, 4]])
    mask = torch.tensor([[True, True, True], [True, True, False]])
    loss = decoder_class(ALLOWED, STARTS).loss(logits, roles, mask, label_smoothing)
    expected = 0.0
    for n, t in [(0, 0), (0, 1), (0, 2), (1, 1)]:
        log_probabilities = (logits[n, t].double().exp() / logits[n, t].double().exp().sum()).log()
        expected -= (1 - label_smoothing) * log_probabilities[roles[n, t]]
        expected -= label_smoothing * log_probabilities.mean()
    torch.testing.assert_close(loss.double(), expected)


@pytest.mark.parametrize("decoder_class", DECODERS)
@pytest.mark.parametrize("num_frames, num_tokens", [(0, 4), (2, 0), (0, 0)])
def test_a_batch_without_frames_has_no_loss_and_no_labels(decoder_class, num_frames, num_tokens):
    decoder = decoder_class(ALLOWED, STARTS)
    logits = torch.zeros(num_frames, num_tokens, 5, requires_grad=True)
    roles = torch.zeros(num_frames, num_tokens, dtype=torch.long)
    mask = torch.ones(num_frames, num_tokens, dtype=torch.bool)
    decoder.observe(roles, mask)
    loss = decoder.loss(logits, roles, mask, 0.0)
    loss.backward()
    assert loss.item() == 0.0
    assert decoder(logits, mask).shape == (num_frames, num_tokens)


@pytest.mark.parametrize("decoder_class", DECODERS)
def test_decoding_and_observing_never_wait_for_the_device(decoder_class):
    """Tensors without values raise when the host asks for one, or when a shape depends on one."""
    decoder = decoder_class(ALLOWED, STARTS).to("meta")
    logits, mask = torch.zeros(3, 4, 5, device="meta"), torch.ones(3, 4, device="meta").bool()
    decoder.observe(logits.argmax(-1), mask)
    assert decoder(logits, mask).shape == (3, 4)


@pytest.mark.parametrize("decoder_class", [CrfRoleDecoder, ViterbiRoleDecoder])
def test_decoded_labels_are_legal_whatever_the_scores(decoder_class):
    torch.manual_seed(2)
    decoder = decoder_class(ALLOWED, STARTS)
    logits = 10 * torch.randn(50, 7, 5)
    mask = torch.arange(7) < torch.randint(1, 8, (50, 1))
    decoder.observe(torch.randint(5, (50, 7)), mask)
    labels = decoder(logits, mask)
    assert STARTS[labels[:, 0]].all()
    assert ALLOWED[labels[:, :-1], labels[:, 1:]][mask[:, 1:]].all()
    assert labels[~mask].eq(0).all()


# O, B-A0, I-A0, B-V, I-V, B-C-V
VERB_LABELS = ["O", "B-A0", "I-A0", "B-V", "I-V", "B-C-V"]
VERB_CONSTRAINTS = {
    "allowed_transitions": torch.tensor(allowed_transitions(VERB_LABELS)),
    "allowed_starts": torch.tensor(allowed_starts(VERB_LABELS)),
    "verb": VerbLabels(3, 4),
}


def verbs(labels: List[int]) -> List[Tuple[int, int]]:
    """First and last token of each V."""
    spans = bio_to_spans([VERB_LABELS[label] for label in labels])
    return [(span.first, span.last) for span in spans if span.role == "V"]


@settings(max_examples=60, deadline=None)
@given(
    decoder_class=st.sampled_from(DECODERS),
    num_tokens=st.integers(1, 5),
    predicate=st.integers(0, 4),
    seed=st.integers(0, 10**6),
)
def test_a_frame_has_one_verb_that_begins_at_its_predicate(
    decoder_class, num_tokens, predicate, seed
):
    predicate = min(predicate, num_tokens - 1)
    torch.manual_seed(seed)
    decoder = decoder_class(**VERB_CONSTRAINTS)
    # What a network may be wrong about: V anywhere, and nothing at the predicate.
    logits = torch.randn(1, num_tokens, 6) * 3
    mask = torch.ones(1, num_tokens, dtype=torch.bool)
    (labels,) = decoder(logits, mask, torch.tensor([predicate])).tolist()
    ((first, _),) = verbs(labels)
    assert first == predicate


@settings(max_examples=40, deadline=None)
@given(
    num_tokens=st.integers(1, 4),
    predicate=st.integers(0, 3),
    trained=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_the_verb_constraint_is_exact(num_tokens, predicate, trained, seed):
    """Against all label sequences that are BIO and have one V, which begins at the predicate."""
    predicate = min(predicate, num_tokens - 1)
    torch.manual_seed(seed)
    moves, starts, ends = torch.zeros(6, 6), torch.zeros(6), torch.zeros(6)
    if trained:
        decoder = CrfRoleDecoder(**VERB_CONSTRAINTS)
        crf = decoder._crf
        moves, starts, ends = (
            scores.detach()
            for scores in (crf.transitions, crf.start_transitions, crf.end_transitions)
        )
    else:
        decoder = ViterbiRoleDecoder(**VERB_CONSTRAINTS, transitions="none")
    logits = torch.randn(1, num_tokens, 6) * 3
    best, expected = -float("inf"), None
    for labels in itertools.product(range(6), repeat=num_tokens):
        pairs = list(zip(labels, labels[1:], strict=False))
        is_legal = bool(VERB_CONSTRAINTS["allowed_starts"][labels[0]]) and all(
            VERB_CONSTRAINTS["allowed_transitions"][pair] for pair in pairs
        )
        if not is_legal or [first for first, _ in verbs(list(labels))] != [predicate]:
            continue
        score = sum(float(logits[0, t, label]) for t, label in enumerate(labels))
        score += float(starts[labels[0]] + ends[labels[-1]]) + sum(float(moves[p]) for p in pairs)
        if score > best:
            best, expected = score, list(labels)
    mask = torch.ones(1, num_tokens, dtype=torch.bool)
    assert decoder(logits, mask, torch.tensor([predicate])).tolist() == [expected]


@pytest.mark.parametrize("decoder_class", DECODERS)
def test_without_verb_labels_nothing_is_constrained(decoder_class):
    torch.manual_seed(3)
    decoder = decoder_class(ALLOWED, STARTS)
    logits, mask = torch.randn(4, 6, 5), torch.ones(4, 6, dtype=torch.bool)
    predicates = torch.tensor([0, 1, 2, 3])
    assert torch.equal(decoder(logits, mask, predicates), decoder(logits, mask))
