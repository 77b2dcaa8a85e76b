"""
Leaves out each stage of decoding in turn, and shows how scores on the development part and CPU
seconds differ from the whole, which is a model's first row. `lisa evaluate` scores other trees.

    python -m benchmarks.stages --corpus DIR [MODEL ...] [--runs N] [--json FILE] [--check]

Without "best trees", each token has its best head (argmax); without "transitions", BIO alone
constrains roles.
"""

import statistics
import sys
from contextlib import nullcontext
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, ContextManager, Dict, List, Tuple
from unittest.mock import patch

import numpy

import lisa_allennlp
from benchmarks.common import Cell, Report, clock, in_turns, make_parser, read_dev
from lisa_allennlp.decoding import decoder, frames
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.scoring.measures import score
from lisa_allennlp.sentence.sentence import Sentence

SCORES = {"F1": "srl_f1", "strict F1": "srl_f1_strict", "V": "srl_v_f1"}
SCORES.update({"predicates": "predicate_f1", "senses": "sense_accuracy"})
SCORES.update({"tags": "pos_accuracy", "UAS": "uas", "LAS": "las"})


def left_out(lisa: Any) -> Dict[str, ContextManager]:
    """For each stage, a context in which a labeller decodes without it."""
    own = lisa.engine.decoder
    nothing = LinearChain(*map(numpy.zeros_like, own.role_decoder.chain()))
    bio = ChainDecoder(own.names.role_constraints.constrain(nothing))
    keeps_all = copy(own.confidence)
    keeps_all.min_probability = keeps_all.min_core_probability = 0.0
    return {
        "nothing": nullcontext(),
        "contexts of rolesets": patch.object(decoder, "add_sense_context", lambda _: None),
        "contexts of roles": patch.object(own._role_context, "add", _unchanged),
        "well-formed frames": patch.object(own, "_well_formed", None),
        "leaving out": patch.object(own, "confidence", keeps_all),
        "best trees": patch.object(lisa, "options", replace(lisa.options, parse_decoder="argmax")),
        "transitions": patch.object(own, "role_decoder", bio),
    }


def _unchanged(found: frames.Frames) -> numpy.ndarray:
    return numpy.zeros(len(found), bool)


def label(lisa: Any, gold: List[Sentence], without: ContextManager) -> Tuple[List, float]:
    start = clock()
    with without:
        labelled = list(lisa.pipe(sentence.words for sentence in gold))
    return labelled, clock() - start


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL", default=["english", "english-fast"])
    args = parser.parse_args()
    gold = read_dev(args.corpus)
    thousands = sum(len(sentence.words) for sentence in gold) / 1000
    report = Report("stages", args, data=f"{len(gold)} sentences of dev")
    rows: List[List[Cell]] = []
    for model in args.models:
        lisa = lisa_allennlp.load(model)
        stages = left_out(lisa)
        turns = [partial(label, lisa, gold, without) for without in stages.values()]
        whole = None
        for stage, runs in zip(stages, in_turns(turns, args.runs), strict=True):
            scores = score(runs[-1][0], gold)
            seconds = statistics.median(seconds for _, seconds in runs) / thousands
            figures = numpy.array([*(scores[key] for key in SCORES.values()), seconds])
            rows.append([model, stage, *(figures - (0 if whole is None else whole)).round(3)])
            whole = figures if whole is None else whole
    report.table(["model", "without", *SCORES, "s per 1,000 words"], rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
