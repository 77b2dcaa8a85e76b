"""
All analyses of one or more systems on one corpus.

    >>> from lisa_allennlp.sentence.sentence import Frame
    >>> words = ["She", "sold", "him", "cars"]
    >>> gold = [Sentence(words, frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG2", "B-ARG1"])])]
    >>> predicted = [Sentence(words, frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG1", "I-ARG1"])])]
    >>> analysis = analyze(gold, {"LISA": predicted})
    >>> [(step.name, round(step.score.f1)) for step in analysis.corrections["LISA"]][2:5]
    [('move_core_argument', 40), ('merge_spans', 40), ('split_spans', 100)]
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence

from lisa_allennlp.apps.analyze.breakdowns import (
    Bin,
    ParseTable,
    PosRow,
    RoleTable,
    by_distance,
    by_parse,
    by_pos,
    by_role,
    by_roleset_frequency,
    by_sentence_length,
    by_word_class,
)
from lisa_allennlp.apps.analyze.faults import FrameFaults, count_faults
from lisa_allennlp.apps.analyze.frame_pairs import (
    CostlyFrame,
    costly_frames,
    counts_by_sentence,
    frame_pairs,
)
from lisa_allennlp.apps.analyze.intervals import Bootstrap, Score
from lisa_allennlp.apps.analyze.oracle_corrections import (
    CorrectionStep,
    PhraseTypes,
    correct_frames,
    correction_steps,
    count_phrase_types,
)
from lisa_allennlp.scoring.conllx import ConllXEvaluation
from lisa_allennlp.scoring.propositions import named_as
from lisa_allennlp.sentence.sentence import Sentence


@dataclass(frozen=True)
class Analysis:
    """
    The results of `analyze`; dictionaries have the names of systems as keys. F1 is always that of
    srl-eval.pl, in percent, with 95 % bootstrap intervals over sentences. `sentences`, `frames` and
    `arguments` are the size of the gold corpus. `phrase_types` are `None` without gold constituents
    or trees, `parses` and `attachment` (UAS, LAS and label accuracy by parser, in percent) empty
    without gold trees, `predicates` and `word_classes` `None` without gold parts of speech,
    `roleset_frequencies` `None` without the training data. `faults` counts faults of predicted
    frames, `gold_faults` faults of gold frames.
    """

    sentences: int
    frames: int
    arguments: int
    overall: Dict[str, Score]
    corrections: Dict[str, List[CorrectionStep]]
    phrase_types: Optional[PhraseTypes]
    sentence_lengths: List[Bin]
    distances: List[Bin]
    parses: List[ParseTable]
    attachment: Dict[str, Dict[str, float]]
    roles: Dict[str, RoleTable]
    predicates: Optional[List[PosRow]]
    word_classes: Optional[List[Bin]]
    roleset_frequencies: Optional[List[Bin]]
    gold_faults: FrameFaults
    faults: Dict[str, FrameFaults]
    costly_frames: List[CostlyFrame]

    @property
    def systems(self) -> List[str]:
        return list(self.overall)

    def parse_table(self, *parsers: str, labelled: bool = True) -> ParseTable:
        for table in self.parses:
            if set(table.parsers) == set(parsers) and table.labelled == labelled:
                return table
        raise KeyError(parsers)

    def to_dict(self) -> Dict[str, Any]:
        roles = {name: table.to_dict() for name, table in self.roles.items()}
        return {**dataclasses.asdict(self), "roles": roles}


def analyze(
    gold: Sequence[Sentence],
    systems: Mapping[str, Sequence[Sentence]],
    parses: Optional[Mapping[str, Sequence[Sentence]]] = None,
    parse_bits: Optional[Sequence[Sequence[str]]] = None,
    frequencies: Optional[Mapping[str, int]] = None,
) -> Analysis:
    """
    Runs all analyses of one or more systems on the same sentences. Systems have different names.

    # Parameters

    gold : `Sequence[Sentence]`
        With frames. Parts of speech and trees are used if all sentences have them.
    systems : `Mapping[str, Sequence[Sentence]]`
        The predictions of each system. If all of them have a parse, the system is also one of the
        parsers of `Analysis.parses`.
    parses : `Mapping[str, Sequence[Sentence]]`, optional
        The parses of each further parser.
    parse_bits : `Sequence[Sequence[str]]`, optional
        For each gold sentence, the constituent bits of its words, such as `(NP*`.
    frequencies : `Mapping[str, int]`, optional
        How often each roleset occurs in the training data.
    """
    parses = {} if parses is None else parses
    systems = {name: named_as(sentences, gold) for name, sentences in systems.items()}
    pairs = {name: frame_pairs(gold, sentences) for name, sentences in systems.items()}
    corrected = {name: correct_frames(found) for name, found in pairs.items()}
    bootstrap = Bootstrap(len(gold))
    overall = {
        name: bootstrap.scores(counts_by_sentence(found, len(gold))[:, None])[0]
        for name, found in pairs.items()
    }
    has_trees = all(sentence.parse is not None for sentence in gold)
    has_pos = all(sentence.pos is not None for sentence in gold)
    parsers = {
        name: sentences
        for name, sentences in [*systems.items(), *parses.items()]
        if name in parses or all(sentence.parse is not None for sentence in sentences)
    }
    return Analysis(
        sentences=len(gold),
        frames=sum(len(sentence.frames or ()) for sentence in gold),
        arguments=next(iter(overall.values())).num_gold,
        overall=overall,
        corrections={
            name: correction_steps(frames, bootstrap, len(gold))
            for name, frames in corrected.items()
        },
        phrase_types=count_phrase_types(gold, corrected, bootstrap, parse_bits),
        sentence_lengths=by_sentence_length(gold, pairs, bootstrap),
        distances=by_distance(gold, pairs, bootstrap),
        parses=by_parse(gold, pairs, parsers, bootstrap) if has_trees else [],
        attachment={
            name: ConllXEvaluation(sentences, gold).counts.scores()
            for name, sentences in (parsers.items() if has_trees else ())
        },
        roles={name: by_role(gold, sentences) for name, sentences in systems.items()},
        predicates=by_pos(gold, systems, bootstrap) if has_pos else None,
        word_classes=by_word_class(gold, pairs, bootstrap) if has_pos else None,
        roleset_frequencies=None
        if frequencies is None
        else by_roleset_frequency(gold, pairs, bootstrap, frequencies),
        gold_faults=count_faults(gold, gold),
        faults={name: count_faults(gold, sentences) for name, sentences in systems.items()},
        costly_frames=costly_frames(gold, pairs),
    )
