"""
Treebanks of other languages with roles: how well raw text of dev is split, and how accurate a LISA
is that was trained on train.

    python -m benchmarks.languages --corpus DIR --languages lv,pt [--models MODELS] [--json FILE]

`DIR/lv-train.conllup` and `DIR/lv-dev.conllup` are a treebank. Sentences are split into words by
themselves, with the multiword tokens of train. To find sentences, ten of them are one text, with
blanks in between. A splitter that was trained on train finds them, and for comparison the English
network and spaCy's rules, the `sentencizer`.

With `MODELS/lv/model.tar.gz` or `MODELS/sa/lv/model.tar.gz`, this LISA or SA labels the words of
dev: with the predicates that it finds, with those of gold, and LISA with these and gold trees.
"""

import sys
from collections import Counter
from difflib import SequenceMatcher
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Callable, Dict, List, Sequence

import spacy

import lisa_allennlp
from benchmarks.common import Report, make_parser
from lisa_allennlp.english.languages import are_universal_tags
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.conllu import text_of
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import RequestReader
from lisa_allennlp.scoring.counts import Counts
from lisa_allennlp.scoring.measures import score
from lisa_allennlp.sentence.multiword_tokens import entries_of, forms_of
from lisa_allennlp.sentence.request import Request, marks_of
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.training.sentence_splitter import train_on_treebank

FOUND = {
    "UAS": "uas",
    "LAS": "las",
    "tags": "pos_accuracy",
    "predicates P": "predicate_precision",
    "predicates R": "predicate_recall",
    "senses": "sense_accuracy",
    "P": "srl_precision",
    "R": "srl_recall",
    "F1": "srl_f1",
}
"""The figures with the predicates that the model finds, by the names of `lisa evaluate`."""

IN_A_ROW = 10
"""So many sentences are one text."""


def scores(lisa: Labeller, gold: Sequence[Sentence]) -> Dict[str, float]:
    if are_universal_tags(lisa.engine.pos_tags):
        gold = [Sentence(s.words, s.upos, s.frames, s.parse) for s in gold]
    bare = [Sentence(sentence.words) for sentence in gold]
    marks = list(map(marks_of, gold))
    found = score(lisa.label([Request(s) for s in bare]), gold)
    given = [Request(s, predicates=m) for s, m in zip(bare, marks, strict=True)]
    figures = {column: found[name] for column, name in FOUND.items() if name in found}
    figures["F1, given"] = score(lisa.label(given), gold)["srl_f1"]
    if lisa.has_parse:
        trees = [sentence.parse and sentence.parse.head_indices for sentence in gold]
        known = zip(bare, trees, marks, strict=True)
        with_trees = [Request(s, t, predicates=m) for s, t, m in known]
        figures["F1, +Gold"] = score(lisa.label(with_trees), gold)["srl_f1"]
    return figures


def splitting(
    language: str, train: Sequence[Sentence], gold: Sequence[Sentence]
) -> Dict[str, float]:
    forms = forms_of(train)
    entries = Counter(entry for sentence in train for entry in entries_of(sentence, forms))
    entries_in_order = [entry for entry, _ in entries.most_common()]
    reader = RequestReader(language, (), entries_in_order, [train_on_treebank(train, language)])
    rules = spacy.blank(language)
    rules.add_pipe("sentencizer")
    splitters: Dict[str, Callable[[str], List[int]]] = {
        "sentences": partial(ends_of_sentences, reader),
        "English network": partial(ends_of_sentences, RequestReader(language)),
        "sentencizer": lambda text: [sentence.end_char for sentence in rules(text).sents],
    }
    words, ends = Counts(), {name: Counts() for name in splitters}
    texts = list(map(text_of, gold))
    for text, sentence in zip(texts, gold, strict=True):
        found = reader.read(text).sentence.words
        blocks = SequenceMatcher(None, found, sentence.words, autojunk=False).get_matching_blocks()
        words.add(_counts(sum(block.size for block in blocks), found, sentence.words))
    for start in range(0, len(texts), IN_A_ROW):
        group = texts[start : start + IN_A_ROW]
        expected = [end - 1 for end in accumulate(len(text) + 1 for text in group)]
        for name, split in splitters.items():
            found_ends = split(" ".join(group))
            ends[name].add(_counts(len({*expected} & {*found_ends}), found_ends, expected))
    return {"words": words.f1, **{name: counts.f1 for name, counts in ends.items()}}


def ends_of_sentences(reader: RequestReader, text: str) -> List[int]:
    return [s.offsets[-1][1] for s in reader.read_document(text) if s.offsets]


def _counts(correct: int, found: Sequence[object], expected: Sequence[object]) -> Counts:
    return Counts(correct, len(found) - correct, len(expected) - correct)


def main() -> int:
    parser = make_parser(__doc__, needs_corpus=True)
    parser.add_argument("--models", type=Path, help="the folder of the models")
    parser.add_argument("--languages", required=True, help="codes, separated by commas")
    args = parser.parse_args()
    report = Report("languages", args, data="dev of each treebank")
    for language in args.languages.split(","):
        train, gold = (
            read_annotated(args.corpus / f"{language}-{part}.conllup").bare_sentences
            for part in ("train", "dev")
        )
        figures = splitting(language, train, gold)
        report.table(["language", *figures], [[language, *figures.values()]])
        for system in (language, f"sa/{language}"):
            model = args.models and args.models / system / "model.tar.gz"
            if model is not None and model.exists():
                figures = scores(lisa_allennlp.load(model), gold)
                report.table(["model", *figures], [[system, *figures.values()]])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
