import re
from pathlib import Path
from typing import List

import pytest

from experiments.papers.out_of_domain import divide
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from tests import ROOT

SAMPLE = ROOT / "fixtures/sample"
GENRES = ("email", "weblog")


def pieces(path: Path, end: str) -> List[str]:
    return [piece + end for piece in path.read_text().split(end)[:-1]]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The sample, with every other document of another genre, and the names of EWT."""
    for part in ("train", "dev"):
        trees = iter(pieces(SAMPLE / f"{part}.conllu", "\n\n"))
        documents, named = [], []
        for number, text in enumerate(pieces(SAMPLE / f"{part}.gold_conll", "#end document\n")):
            genre = GENRES[number % 2]
            documents.append(text.replace("(sample/", f"(google/ewt/{genre}/00/"))
            for _ in range(len(re.findall(r"\n\n", text))):
                named.append(next(trees).replace("sent_id = sample", f"sent_id = {genre}"))
        assert next(trees, None) is None
        (tmp_path / f"ewt-{part}.gold_conll").write_text("".join(documents))
        (tmp_path / f"ewt-{part}.conllu").write_text("".join(named))
    return tmp_path


def test_a_genre_is_in_the_test_part_alone(corpus: Path, tmp_path: Path) -> None:
    genre = GENRES[0]
    divided = divide(corpus, genre, tmp_path / "out")
    reader = Conll12SrlReader(parses_suffix=".conllu")
    found = {}
    for part in ("train", "dev", "test"):
        text = (divided / f"ewt-{part}.gold_conll").read_text()
        assert (f"/{genre}/" in text) == (part == "test")
        # The reader compares the words of both files.
        sentences = reader.read_sentences(divided / f"ewt-{part}.gold_conll")
        found[part] = [(tuple(s.words), s.frames, s.parse) for s in sentences]
    whole = [
        (tuple(s.words), s.frames, s.parse)
        for part in ("train", "dev")
        for s in reader.read_sentences(corpus / f"ewt-{part}.gold_conll")
    ]
    assert all(found.values())
    assert sorted(map(str, whole)) == sorted(str(s) for part in found.values() for s in part)
