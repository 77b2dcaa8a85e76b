#!/usr/bin/env python
"""
Makes the embedded sample corpus in fixtures/sample: sentences from a small grammar of English, with
parts of speech, dependencies and PropBank-style roles. The same seed gives the same files.

    python scripts/make_sample.py            writes fixtures/sample
    python scripts/make_sample.py --check    says whether the files there are what it would write
"""

import argparse
import filecmp
import io
import random
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, Iterator, List, Sequence, Set

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from sample.sentences import Draft, SentenceGrammar, layout_of  # noqa: E402
from sample.tokens import Layout, Token  # noqa: E402

from lisa_allennlp.data.formats.columns import format_rows  # noqa: E402
from lisa_allennlp.data.formats.conll05 import write_combined_bio, write_conll05  # noqa: E402
from lisa_allennlp.data.formats.conll12 import write_conll12  # noqa: E402
from lisa_allennlp.data.formats.conllu import write_conllu  # noqa: E402
from lisa_allennlp.data.sentence import Frame, Parse, Sentence  # noqa: E402

SEED = 2018
# Sentences of each part; the first of CoNLL-2005's training part.
PARTS = {"train": 600, "dev": 120, "test": 120}
CONLL05_PARTS = {"train": 300, "dev": 120}
DOCUMENT_LENGTH = 40

_UNIVERSAL_POS = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ",
    "RB": "ADV", "WRB": "ADV", "RP": "ADP", "IN": "ADP", "TO": "PART", "POS": "PART", "CC": "CCONJ",
    "DT": "DET", "PRP": "PRON", "PRP$": "PRON", "WP": "PRON", "WDT": "PRON", "EX": "PRON",
    "CD": "NUM", "MD": "AUX", "UH": "INTJ", "$": "SYM", "LS": "X",
}  # fmt: skip
_FEATURES = {
    "NN": "Number=Sing", "NNS": "Number=Plur", "NNP": "Number=Sing", "JJ": "Degree=Pos",
    "JJR": "Degree=Cmp", "JJS": "Degree=Sup", "VBD": "Tense=Past|VerbForm=Fin",
    "VBZ": "Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "VBP": "Tense=Pres|VerbForm=Fin",
    "VB": "VerbForm=Inf", "VBG": "VerbForm=Ger", "VBN": "Tense=Past|VerbForm=Part",
    "MD": "VerbForm=Fin", "CD": "NumType=Card", "PRP$": "Poss=Yes|PronType=Prs",
    "PRP": "PronType=Prs", "WP": "PronType=Rel", "WDT": "PronType=Rel",
}  # fmt: skip
# CoNLL-2005 has PropBank 1's names: no `ARGM-PRP`, `ARGM-GOL` or `ARGM-COM`.
_CONLL05_ROLES = {"ARGM-PRP": "AM-PNC", "ARGM-GOL": "AM-DIR", "ARGM-COM": "AM-MNR"}


@dataclass
class Sample:
    """A sentence with what the formats hold beyond `Sentence`."""

    sentence: Sentence
    tokens: List[Token]
    construction: str
    is_verbal: List[bool]

    @property
    def text(self) -> str:
        """The words in lower case."""
        return " ".join(self.sentence.words).lower()


def make_sample(draft: Draft) -> Sample:
    """Turns the tokens of a draft into an annotated sentence."""
    layout = layout_of(draft)
    frames, is_verbal = [], []
    for token in layout.tokens:
        if token.predicate is not None:
            predicate = token.predicate
            here = layout.position[token]
            frames.append(Frame(here, layout.roles(token), predicate.lemma, predicate.sense))
            # PropBank 1 left out `be` and the auxiliaries.
            is_verbal.append(
                predicate.verbal and not predicate.auxiliary and predicate.lemma != "be"
            )
    sentence = Sentence(
        [token.form for token in layout.tokens],
        [token.pos for token in layout.tokens],
        frames,
        _parse(layout),
    )
    return Sample(sentence, layout.tokens, draft.construction, is_verbal)


def _parse(layout: Layout) -> Parse:
    heads = [layout.position[token.head or token] for token in layout.tokens]
    return Parse(heads, [token.relation if token.head else "root" for token in layout.tokens])


def make_parts(seed: int = SEED) -> Dict[str, List[Sample]]:
    """
    # Returns

    `Dict[str, List[Sample]]`
        The sentences of each part; no two, in any parts, have the same words.
    """
    seen: Set[str] = set()
    parts = {}
    for name, size in PARTS.items():
        grammar = SentenceGrammar(random.Random(f"{seed} {name}"), held_out=name != "train")
        samples: List[Sample] = []
        while len(samples) < size:
            sample = make_sample(grammar.draft())
            # `Yes` and `Yes .` count as the same.
            key = sample.text.rstrip(" .!?")
            if key not in seen:
                seen.add(key)
                samples.append(sample)
        parts[name] = samples
    return parts


def _universal_pos(token: Token) -> str:
    if token.relation in ("aux", "aux:pass", "cop"):
        return "AUX"
    if token.relation == "punct":
        return "PUNCT"
    if token.relation == "mark" and token.pos == "IN":
        return "SCONJ"
    if token.kind == "negation":
        return "PART"
    if token.pos.startswith("VB"):
        return "ADJ" if token.relation == "amod" else "VERB"
    if token.pos == "DT" and token.relation != "det":
        return "PRON"
    return _UNIVERSAL_POS.get(token.pos, "PUNCT")


def _conll12(samples: Sequence[Sample], part: str) -> str:
    """
    The writer's file, with the lemmas of participles before nouns (`the broken vase`) filled in:
    as in OntoNotes, a lemma without a frameset is no predicate.
    """
    documents = []
    for start in range(0, len(samples), DOCUMENT_LENGTH):
        file = io.StringIO()
        chunk = samples[start : start + DOCUMENT_LENGTH]
        name = f"sample/{part}_{start // DOCUMENT_LENGTH:02d}"
        write_conll12([sample.sentence for sample in chunk], file, name)
        begin, _, body = file.getvalue().partition("\n")
        *sentences, end = body.split("\n\n")
        for sample, sentence in zip(chunk, sentences, strict=True):
            rows = [line.split() for line in sentence.splitlines()]
            for row, token in zip(rows, sample.tokens, strict=True):
                if token.pos in ("VBN", "VBG") and token.relation == "amod":
                    row[6] = token.lemma
            begin += "\n" + format_rows(rows)
        documents.append(f"{begin}\n{end}")
    return "".join(documents)


def _conllu(samples: Sequence[Sample], part: str) -> str:
    """The writer's file with comments, lemmas, universal tags and features filled in."""
    file = io.StringIO()
    for number, sample in enumerate(samples, start=1):
        file.write(f"# sent_id = sample-{part}-{number:04d}\n")
        file.write(f"# text = {' '.join(sample.sentence.words)}\n")
        rows = io.StringIO()
        write_conllu([sample.sentence], rows)
        for line, token in zip(rows.getvalue().splitlines(), sample.tokens, strict=False):
            row = line.split("\t")
            row[2] = token.lemma or token.form
            row[3], row[5] = _universal_pos(token), _FEATURES.get(token.pos, "_")
            file.write("\t".join(row) + "\n")
        file.write("\n")
    return file.getvalue()


def _conll05_label(label: str) -> str:
    start, _, role = label.partition("-")
    prefix = role[:2] if role.startswith(("R-", "C-")) else ""
    name = role[len(prefix) :]
    name = _CONLL05_ROLES.get(name, name.replace("ARGM", "AM").replace("ARG", "A"))
    return f"{start}-{prefix}{name}" if role else label


def conll05_sentence(sample: Sample) -> Sentence:
    """The sentence as CoNLL-2005 annotates it: verbs other than `be`, and its names of roles."""
    frames = [
        replace(frame, tags=[_conll05_label(label) for label in frame.tags])
        for frame, verbal in zip(sample.sentence.frames or [], sample.is_verbal, strict=True)
        if verbal
    ]
    return replace(sample.sentence, frames=frames)


def make_files(parts: Dict[str, List[Sample]]) -> Iterator[tuple]:
    """Pairs of a path below fixtures/sample and the text of that file."""
    for part, samples in parts.items():
        yield f"{part}.gold_conll", _conll12(samples, part)
        yield f"{part}.conllu", _conllu(samples, part)
    for part, size in CONLL05_PARTS.items():
        samples = parts[part][:size]
        sentences = [conll05_sentence(sample) for sample in samples]
        file = io.StringIO()
        write_conll05(sentences, file)
        yield f"conll05/{part}.conll", file.getvalue()
        yield f"conll05/{part}.conllu", _conllu(samples, part)
        if part == "dev":
            file = io.StringIO()
            write_combined_bio(sentences, file)
            yield f"conll05/{part}.combined.bio", file.getvalue()


def write(folder: Path) -> List[str]:
    """Writes the corpus below a folder, and returns the names of its files."""
    names = []
    for name, text in make_files(make_parts()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        names.append(name)
    return names


def check(folder: Path) -> List[str]:
    """The names of the files in a folder that differ from what would be written."""
    with tempfile.TemporaryDirectory() as temporary:
        names = write(Path(temporary))
        same, _, _ = filecmp.cmpfiles(temporary, folder, names, shallow=False)
    return [name for name in names if name not in same]


def main() -> None:
    """Reads the arguments, and writes or checks."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "fixtures" / "sample")
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    arguments = parser.parse_args()
    if not arguments.check:
        names = write(arguments.folder)
        print(f"wrote {len(names)} files below {arguments.folder}")
        return
    differing = check(arguments.folder)
    for name in differing:
        print(f"{arguments.folder / name} is not what this script writes: run it without --check")
    if differing:
        sys.exit(1)
    print(f"{arguments.folder}: identical")


if __name__ == "__main__":
    main()
