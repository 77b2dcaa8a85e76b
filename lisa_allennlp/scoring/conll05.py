"""The tables of CoNLL-2005's srl-eval.pl."""

from collections import Counter
from typing import Any, Dict, List, Sequence, Tuple

from lisa_allennlp.common.tables import Cell, Table
from lisa_allennlp.scoring.counts import COUNTS_HEADINGS, Counts, Evaluation, Ratio
from lisa_allennlp.scoring.propositions import (
    PropositionCounts,
    count_propositions,
    named_as,
    roles_of,
    unshared_roles,
)
from lisa_allennlp.sentence.roles import VERB
from lisa_allennlp.sentence.sentence import Sentence

NO_ROLE = "-NONE-"
"""In confusion matrices, the role of a span that one side lacks."""

_HEADINGS = f"{'':10}    corr.  excess  missed    prec.    rec.      F1"


class Conll05Evaluation(Evaluation):
    """
    Scores roles as srl-eval.pl of CoNLL-2005 does, whichever of `A0` and `ARG0` the files have.

    # Parameters

    strict : `bool`, optional (default = `False`)
        Whether the arguments of predicates that are not in gold are excess, as in He et al. (2018).
        srl-eval.pl ignores them.
    compare_lemmas : `bool`, optional (default = `False`)
        Whether a proposition must also have the lemma of gold, as in srl-eval.pl.
    confusion : `bool`, optional (default = `False`)
        srl-eval.pl's option `-C`.
    """

    def __init__(
        self,
        predicted: Sequence[Sentence],
        gold: Sequence[Sentence],
        strict: bool = False,
        compare_lemmas: bool = False,
        confusion: bool = False,
    ) -> None:
        self.strict = strict
        self.compare_lemmas = compare_lemmas
        self.confusion = confusion
        self._note = unshared_roles(roles_of(predicted), roles_of(gold))
        pairs = zip(named_as(predicted, gold), gold, strict=True)
        self._set_counts([count_propositions(*p, compare_lemmas=compare_lemmas) for p in pairs])

    def _set_counts(self, sentences: List[PropositionCounts]) -> None:
        self.sentences = sentences
        self.counts = PropositionCounts()
        for sentence in sentences:
            self.counts.add(sentence)

    def table(self, style: str = "text") -> str:
        """Returns the text of srl-eval.pl; with `latex`, of its option `-latex`."""
        if style not in ("text", "latex"):
            return super().table(style)
        rows = self.counts.by_role(self.strict)
        verbs = {VERB: rows.pop(VERB)} if VERB in rows else {}
        overall = self.counts.overall(self.strict)
        is_latex = style == "latex"
        lines = _latex(overall, rows, verbs) if is_latex else self._text(overall, rows, verbs)
        if self.confusion:
            lines += _confusion_text(self._confusion())
        return "\n".join(lines)

    def tables(self) -> List[Table]:
        """The confusion matrix has a row for each gold role."""
        counts = {
            "Overall": self.counts.overall(self.strict),
            **self.counts.by_role(self.strict),
        }
        rows: List[List[Cell]] = [[role, *found.cells()] for role, found in counts.items()]
        tables = [Table(["", *COUNTS_HEADINGS], rows)]
        if self.confusion:
            confusion = self._confusion()
            names = _names_in(confusion)
            rows = [[wanted, *(confusion[wanted, found] for found in names)] for wanted in names]
            tables.append(Table(["", *names], rows))
        return tables

    def to_dict(self) -> Dict[str, Any]:
        roles = self.counts.by_role(self.strict)
        described: Dict[str, Any] = {
            "sentences": self.counts.sentences,
            "propositions": self.counts.propositions,
            "perfect_propositions": self.counts.perfect,
            "perfect_percentage": self._perfect_percentage(),
            "unpredicted_propositions": self.counts.unpredicted,
            "propositions_with_another_lemma": self.counts.other_lemma,
            "propositions_not_in_gold": self.counts.not_in_gold,
            "overall": self.counts.overall(self.strict).to_dict(),
            "roles": {role: counts.to_dict() for role, counts in roles.items()},
        }
        if self.confusion:
            described["confusion"] = self.confusion_rows()
        return described

    def sentence_ratios(self) -> List[Dict[str, Ratio]]:
        return [
            {
                **counts.overall(self.strict).ratios("arguments"),
                **counts.verbs(self.strict).ratios("V"),
                "perfect propositions": (counts.perfect, counts.propositions),
            }
            for counts in self.sentences
        ]

    def notes(self) -> List[str]:
        counts, notes = self.counts, [*self._note]
        if counts.other_lemma:
            notes.append(
                f"all arguments of {counts.other_lemma} propositions are missed only because their "
                "lemmas differ from gold, as in srl-eval.pl; --ignore-lemmas matches by position"
            )
        if not self.compare_lemmas:
            notes.append("lemmas are not compared: propositions are matched by position")
        if counts.not_in_gold and not self.strict:
            notes.append(
                f"{counts.not_in_gold} predicted propositions are not in gold and ignored, as in "
                "srl-eval.pl; --strict counts their arguments as excess"
            )
        if counts.unpredicted:
            notes.append(
                f"all arguments of {counts.unpredicted} propositions are missed, because their "
                "predicates were not predicted"
            )
        return notes

    def confusion_rows(self) -> Dict[str, Dict[str, int]]:
        rows: Dict[str, Dict[str, int]] = {}
        for (wanted, found), number in sorted(self._confusion().items()):
            rows.setdefault(wanted, {})[found] = number
        return rows

    def _perfect_percentage(self) -> float:
        total = self.counts.propositions
        return 100 * self.counts.perfect / total if total else 0.0

    def _text(
        self, overall: Counts, rows: Dict[str, Counts], verbs: Dict[str, Counts]
    ) -> List[str]:
        line = "-" * 60
        return [
            f"Number of Sentences    :      {self.counts.sentences:6d}",
            f"Number of Propositions :      {self.counts.propositions:6d}",
            f"Percentage of perfect props : {self._perfect_percentage():6.2f}",
            "",
            _HEADINGS,
            line,
            _row("Overall", overall),
            "----------",
            *(_row(role, counts) for role, counts in rows.items()),
            line,
            *(_row(role, counts) for role, counts in verbs.items()),
            line,
        ]

    def _confusion(self) -> "Counter[Tuple[str, str]]":
        confusion: Counter[Tuple[str, str]] = Counter()
        for (wanted, found), number in self.counts.role_pairs.items():
            confusion[wanted or NO_ROLE, found or NO_ROLE] += number
        if self.strict:
            for role, number in self.counts.spurious_roles.items():
                confusion[NO_ROLE, role] += number
        return confusion


def _row(name: str, counts: Counts) -> str:
    return (
        f"{name:>10}   {counts.correct:6d}  {counts.excess:6d}  {counts.missed:6d}   "
        f"{counts.precision:6.2f}  {counts.recall:6.2f}  {counts.f1:6.2f}"
    )


def _latex(overall: Counts, rows: Dict[str, Counts], verbs: Dict[str, Counts]) -> List[str]:
    def row(name: str, counts: Counts) -> str:
        scores = f"{counts.precision:6.2f}\\% & {counts.recall:6.2f}\\% & {counts.f1:6.2f}"
        return f"{name:<10} & {scores}\\\\"

    return [
        r"\begin{table}[t]",
        r"\centering",
        r"\begin{tabular}{|l|r|r|r|}\cline{2-4}",
        r"\multicolumn{1}{l|}{}",
        r"           & Precision & Recall & F$_{\beta=1}$\\",
        r"\hline",
        row("Overall", overall),
        r"\hline",
        *(row(role, counts) for role, counts in rows.items()),
        r"\hline",
        r"\hline",
        *(row(role, counts) for role, counts in verbs.items()),
        r"\hline",
        r"\end{tabular}",
        r"\end{table}",
    ]


def _confusion_text(confusion: "Counter[Tuple[str, str]]") -> List[str]:
    names = _names_in(confusion)
    line = "-" * 68
    unlabelled, same_role = _unlabelled(confusion)
    accuracy = 100 * same_role / unlabelled.correct if unlabelled.correct else 0.0
    return [
        line,
        f"{_HEADINGS}    lAcc",
        f"{_row('Unlabeled', unlabelled)}  {accuracy:6.2f}",
        line,
        "",
        "---- Confusion Matrix: (one row for each correct role, with the distribution of "
        "predictions)",
        " " * 13 + "".join(f"{number:4d} " for number in range(-1, len(names) - 1)),
        *(
            f"{number:2d}: {wanted:<8} " + "".join(f"{confusion[wanted, f]:4d} " for f in names)
            for number, wanted in enumerate(names, start=-1)
        ),
    ]


def _names_in(confusion: "Counter[Tuple[str, str]]") -> List[str]:
    return sorted({NO_ROLE, *(role for pair in confusion for role in pair)})


def _unlabelled(confusion: "Counter[Tuple[str, str]]") -> Tuple[Counts, int]:
    counts, same_role = Counts(), 0
    for (wanted, found), number in confusion.items():
        if VERB in (wanted, found):
            continue
        if wanted == NO_ROLE:
            counts.excess += number
        elif found == NO_ROLE:
            counts.missed += number
        else:
            counts.correct += number
            same_role += number * (wanted == found)
    return counts, same_role
