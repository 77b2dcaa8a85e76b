"""
The real files that `benchmarks.fuzz` damages: those of fixtures/, and parts of a corpus in all
formats that `lisa convert` writes.
"""

import gzip
import io
import itertools
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional

from benchmarks.records import ROOT
from lisa_allennlp.data.annotated_files import AnnotatedFile, read_annotated
from lisa_allennlp.data.conversion import write_annotated
from lisa_allennlp.data.formats.columns import LocatedSentence
from lisa_allennlp.data.formats.names import WRITABLE_FORMATS
from lisa_allennlp.data.sentence import Sentence

FIXTURES = ROOT / "fixtures"
PARTS = 12
"""The number of parts of the corpus."""

ENDINGS = {
    "props": ".props",
    "bio": ".bio",
    "gold_conll": ".gold_conll",
    "conll05": ".conll",
    "combined_bio": ".combined.bio",
    "conllu": ".conllu",
    "json": ".jsonl",
    "csv": ".csv",
}
"""The end of a file's name, by its format in `WRITABLE_FORMATS`."""


class Seed(NamedTuple):
    """
    # Parameters

    name : `str`
        The path of the file to damage, in the folder of a case.
    data : `bytes`
        Its content.
    others : `Dict[str, bytes]`, optional (default = none)
        The files beside it that stay as they are, by their paths.
    """

    name: str
    data: bytes
    others: Dict[str, bytes] = {}


def corpus_parts(corpus: Optional[Path], rng: random.Random) -> List[AnnotatedFile]:
    """Parts of one to eight sentences of the corpus's development set, with trees."""
    path = FIXTURES / "sample/dev.gold_conll" if corpus is None else corpus / "ewt-dev.gold_conll"
    whole = read_annotated(path, parses=True)
    parts = []
    for _ in range(PARTS):
        number = rng.randint(1, 8)
        start = rng.randint(0, len(whole.sentences) - number)
        parts.append(_part(whole, start, number))
    sample = read_annotated(FIXTURES / "formats/conll12/sample.gold_conll", parses=True)
    return [*parts, sample]


def _part(whole: AnnotatedFile, start: int, number: int) -> AnnotatedFile:
    end = start + number
    return replace(whole, sentences=whole.sentences[start:end], files=whole.files[start:end])


def annotated_seeds(parts: List[AnnotatedFile], format: str) -> List[Seed]:
    """
    Each part in a format, as `damaged` and the format's ending. `intact` is the same part in all
    formats. Trees are also beside the damaged file.
    """
    seeds = []
    for part in parts:
        texts = {name: _written(part, name) for name in WRITABLE_FORMATS}
        others = {f"intact{ENDINGS[name]}": text for name, text in texts.items()}
        if format != "conllu":
            others["damaged.conllu"] = texts["conllu"]
        seeds.append(Seed(f"damaged{ENDINGS[format]}", texts[format], others))
    return seeds


def _written(part: AnnotatedFile, format: str) -> bytes:
    file = io.StringIO()
    write_annotated(_with_all_json(part) if format == "json" else part, format, file)
    return file.getvalue().encode()


def _with_all_json(part: AnnotatedFile) -> AnnotatedFile:
    """The sentences with what only JSON holds."""
    return replace(
        part,
        sentences=[
            LocatedSentence(_with_probabilities(sentence), lines)
            for sentence, lines in part.sentences
        ],
    )


def _with_probabilities(sentence: Sentence) -> Sentence:
    words = sentence.words
    ends = list(itertools.accumulate(len(word) + 1 for word in words))
    halves = [0.5] * len(words)
    return replace(
        sentence,
        frames=[
            replace(
                frame,
                gloss="what happens",
                role_glosses={"ARG0": "who"},
                probability=0.5,
                span_probabilities=[0.5 for _ in frame.roles],
            )
            for frame in sentence.frames or []
        ],
        predicate_probabilities=halves,
        pos_probabilities=halves,
        head_probabilities=halves,
        offsets=[(end - len(word) - 1, end - 1) for word, end in zip(words, ends, strict=True)],
        extra={"id": 7},
    )


def request_seeds(parts: List[AnnotatedFile]) -> List[Seed]:
    """JSON lines to label, of all kinds."""
    return [
        Seed("damaged.jsonl", "".join(_lines_to_label(part.bare_sentences)).encode())
        for part in parts
    ]


def _lines_to_label(sentences: List[Sentence]) -> Iterator[str]:
    for number, sentence in enumerate(sentences):
        text = " ".join(sentence.words)
        trees = {"head_indices": sentence.heads, "head_tags": sentence.head_tags}
        kinds = [
            {"sentence": text, "id": number},
            {"tokens": sentence.words, "predicates": sentence.predicates},
            {"tokens": sentence.words, "pos": sentence.pos, **trees},
            {"text": f"{text}\n\n{text}"},
        ]
        yield json.dumps(kinds[number % len(kinds)], ensure_ascii=False) + "\n"


def text_seeds(parts: List[AnnotatedFile]) -> List[Seed]:
    """Plain texts."""
    return [
        Seed("damaged.txt", "\n".join(" ".join(s.words) for s in part.bare_sentences).encode())
        for part in parts
    ]


def file_seeds(*patterns: str, name: str) -> List[Seed]:
    """The files of fixtures/ that match, each under the same name."""
    paths = [path for pattern in patterns for path in sorted(FIXTURES.glob(pattern))]
    return [Seed(name, path.read_bytes()) for path in paths]


def vector_seeds() -> List[Seed]:
    """Word vectors, plain and compressed."""
    packed = (FIXTURES / "ccg/vectors.20d.txt.gz").read_bytes()
    return [Seed("damaged.txt", gzip.decompress(packed)), Seed("damaged.txt.gz", packed)]


def tree_seeds(folder: str) -> List[Seed]:
    """Each file of a folder of fixtures/, with all others beside it."""
    root = FIXTURES / folder
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    return [
        Seed(name, data, {other: files[other] for other in files if other != name})
        for name, data in files.items()
    ]


def model_seeds(*names: str) -> List[Seed]:
    """Files of a small exported model without weights, with its other files beside each."""
    lines = {"tokens": ["@@UNKNOWN@@", "the", "cat"], "head_tags": ["root", "nsubj"]}
    info = {
        "name": "small",
        "version": "1.0",
        "license": "CC0",
        "scores": {"uas": 88.0},
        "parameters": 6,
        "vocabulary": {name: len(entries) for name, entries in lines.items()},
        "sha256": "ab12",
        "package_version": "1.0",
        "format": 1,
    }
    config = ROOT / "lisa_allennlp/pretrained/english/config.json"
    files = {
        "model.json": json.dumps(info, indent=2).encode(),
        "config.json": config.read_bytes(),
        "vocabulary/non_padded_namespaces.txt": b"*tags\n",
        **{
            f"vocabulary/{name}.txt": "".join(f"{entry}\n" for entry in entries).encode()
            for name, entries in lines.items()
        },
    }
    return [
        Seed(name, files[name], {other: files[other] for other in files if other != name})
        for name in names
    ]
