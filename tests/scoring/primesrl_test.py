"""Hand-made cases, by the definitions of Jindal et al. (2023)."""

import pytest

from lisa_allennlp.scoring import PrimeSrlEvaluation
from lisa_allennlp.scoring.primesrl import PrimeArgument, prime_arguments
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence


def sentence(*frames, heads=None):
    """One frame is `(predicate, sense, "A0 V _ A1 ...")`; `=` continues the span before it."""
    made = []
    for predicate, sense, roles in frames:
        tags = []
        for role in roles.split():
            same = f"I-{tags[-1][2:]}" if role == "=" else None
            tags.append(same or ("O" if role == "_" else f"B-{role}"))
        made.append(Frame(predicate, tags, sense=sense))
    length = len(made[0].tags)
    parse = None if heads is None else Parse(heads, ["dep"] * length)
    return Sentence(["w"] * length, frames=made, parse=parse)


def scores(predicted, gold, **options):
    evaluation = PrimeSrlEvaluation([predicted], [gold], compare_senses=True, **options)
    return {
        unit: (counts.correct, counts.excess, counts.missed)
        for unit, counts in evaluation.scores().items()
    }


def spans(predicted, gold):
    """The counts of arguments of one predicate with the right sense."""
    pair = (sentence((0, "01", roles)) for roles in (predicted, gold))
    return scores(*pair)["ArgumentSpan"]


class TestSenses:
    gold = sentence((1, "01", "A0 V A1 AM-TMP"))

    def test_a_wrong_sense_makes_core_arguments_missed_and_spurious(self):
        assert scores(sentence((1, "02", "A0 V A1 AM-TMP")), self.gold) == {
            "PredicateId": (1, 0, 0),
            "Predicate": (0, 1, 1),
            "ArgumentSpan": (1, 2, 2),
            "CoreArgSpan": (0, 2, 2),
            "ContextArgSpan": (1, 0, 0),
        }

    def test_a_wrong_predicate_takes_all_its_arguments_along(self):
        found = scores(sentence((2, "01", "A0 _ V AM-TMP")), self.gold)
        assert (found["PredicateId"], found["Predicate"]) == ((0, 1, 1), (0, 1, 1))
        assert (found["CoreArgSpan"], found["ContextArgSpan"]) == ((0, 1, 2), (0, 1, 1))

    def test_a_sense_may_include_its_lemma(self):
        other = Sentence(self.gold.words, frames=[Frame(1, self.gold.frames[0].tags, "be", "01")])
        assert scores(other, self.gold)["Predicate"] == (1, 0, 0)
        assert scores(other, self.gold, compare_lemmas=True)["Predicate"] == (0, 1, 1)

    def test_without_senses(self):
        predicted = sentence((1, "-", "A0 V A1 AM-TMP"))
        evaluation = PrimeSrlEvaluation([predicted], [self.gold], compare_senses=False)
        found = evaluation.scores()
        assert "Predicate" not in found and found["CoreArgSpan"].f1 == 100
        assert evaluation.notes()[0].startswith("not both files have senses")


@pytest.mark.parametrize(
    "predicted, gold, counts",
    [
        ("V A1 _ _", "V A1 _ C-A1", (0, 1, 1)),
        ("V A1 _ C-A2", "V A1 _ C-A1", (0, 2, 1)),  # An A1 and an orphan, which becomes A2.
        ("V C-A1 _ A1", "V A1 _ C-A1", (1, 0, 0)),  # Whichever piece is called C-A1.
        ("V C-A1 _ C-A1", "V A1 _ C-A1", (1, 0, 0)),
        ("V C-A1 _ _", "V A1 _ _", (1, 0, 0)),
        ("V A1 = =", "V A1 _ C-A1", (0, 1, 1)),  # From end to end the same, but not inside.
    ],
)
def test_continuations(predicted, gold, counts):
    assert spans(predicted, gold) == counts


@pytest.mark.parametrize(
    "predicted, gold, counts",
    [
        ("V A1 R-A0", "V A0 R-A0", (0, 2, 2)),  # R-A0 is right only with its antecedent.
        ("V A0 R-A1", "V A0 R-A0", (1, 1, 1)),
        ("V _ R-A0", "V A0 R-A0", (0, 1, 2)),
        ("V R-A0 A0", "V A0 R-A0", (0, 2, 2)),
    ],
)
def test_references(predicted, gold, counts):
    assert spans(predicted, gold) == counts


def test_the_antecedent_has_all_its_pieces():
    assert prime_arguments("B-A1 B-R-A1 B-V B-C-A1".split()) == [
        PrimeArgument("A1", ((0, 0), (3, 3)), ()),
        PrimeArgument("R-A1", ((1, 1),), ((0, 0), (3, 3))),
    ]


def test_core_and_contextual_roles():
    roles = "A0 ARG1 R-ARG2 AA AM-TMP ARGM-TMP R-AM-LOC".split()
    assert [PrimeArgument(role, ((0, 0),), ()).is_core for role in roles] == [True] * 4 + [
        False
    ] * 3


@pytest.mark.parametrize(
    "roles, heads, span, head",
    [
        ("A1 = _ _ V", None, (0, 1, 1), (1, 0, 0)),  # Another span with the same head.
        ("_ _ A1 = V", None, (0, 1, 1), (0, 1, 1)),
        ("A1 = = = V", [4, 0, 3, 1, 4], (1, 0, 0), (0, 1, 1)),  # In another tree.
        ("A1 = C-A1 = V", None, (0, 1, 1), (0, 1, 1)),  # Each piece has a head.
    ],
)
def test_heads(roles, heads, span, head):
    #            the  man  who  ran  fell
    gold_heads = [1, 4, 3, 1, 4]
    gold = sentence((4, "01", "A1 = = = V"), heads=gold_heads)
    predicted = sentence((4, "01", roles), heads=heads or gold_heads)
    found = scores(predicted, gold, compare_heads=True)
    assert (found["ArgumentSpan"], found["ArgumentHead"]) == (span, head)
    found = scores(gold, gold, compare_heads=True)
    assert (found["CoreArgHead"], found["ContextArgHead"]) == ((1, 0, 0), (0, 0, 0))
    evaluation = PrimeSrlEvaluation([gold], [gold], compare_senses=True)
    assert evaluation.notes() == ["not both files have trees: arguments are scored by span only"]


def test_table_json_and_ratios_agree():
    gold, predicted = sentence((1, "01", "A0 V A1")), sentence((1, "01", "A0 V A2"))
    evaluation = PrimeSrlEvaluation([predicted, gold], [gold, gold], compare_senses=True)
    (row,) = [line for line in evaluation.table().splitlines() if line.startswith("CoreArgSpan")]
    assert row.split() == ["CoreArgSpan", "3", "1", "1", "75.00", "75.00", "75.00"]
    assert evaluation.to_dict()["CoreArgSpan"]["f1"] == 75
    ratios = [ratios["CoreArgSpan F1"] for ratios in evaluation.sentence_ratios()]
    assert ratios == [(2, 4), (4, 4)]
