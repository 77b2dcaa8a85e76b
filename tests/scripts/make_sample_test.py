"""
The embedded sample, read here with nothing but `split`, so that neither the generator's nor the
package's idea of the formats is taken for granted.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

import pytest
from allennlp.data import DatasetReader

import lisa_allennlp.plugin  # noqa: F401
from tests import FIXTURES, ROOT

SAMPLE = FIXTURES / "sample"
PARTS = ("train", "dev", "test")


class Labelled(NamedTuple):
    words: List[str]
    heads: List[int]  # 1-based, 0 for the root
    relations: List[str]
    # For each predicate its position, and the role of each token ("" for none) with whether it
    # begins there.
    frames: List[Tuple[int, List[Tuple[str, bool]]]]


def blocks(path: Path) -> List[List[List[str]]]:
    sentences: List[List[List[str]]] = [[]]
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#begin") or line.startswith("#end") or line.startswith("# "):
            continue
        if line.strip():
            sentences[-1].append(line.split())
        elif sentences[-1]:
            sentences.append([])
    return [rows for rows in sentences if rows]


def roles_of(column: List[str]) -> List[Tuple[str, bool]]:
    roles, current = [], ""
    for cell in column:
        begins = cell.startswith("(")
        if begins:
            assert not current, f"{cell} opens inside {current}"
            current = cell[1 : cell.index("*")]
        roles.append((current, begins))
        if cell.endswith(")"):
            assert current, f"{cell} closes nothing"
            current = ""
    assert not current, f"{current} is never closed"
    return roles


def read(roles_path: Path, trees_path: Path) -> List[Labelled]:
    is_2012 = roles_path.suffix == ".gold_conll"
    word, mark, first, after = (3, 7, 11, 1) if is_2012 else (0, 5, 6, 0)
    sentences = []
    for rows, tree in zip(blocks(roles_path), blocks(trees_path), strict=True):
        assert [row[word] for row in rows] == [row[1] for row in tree]
        predicates = [i for i, row in enumerate(rows) if row[mark] != "-"]
        assert {len(row) for row in rows} == {first + len(predicates) + after}
        columns = [[row[first + k] for row in rows] for k in range(len(predicates))]
        frames = [(p, roles_of(c)) for p, c in zip(predicates, columns, strict=True)]
        heads, relations = [int(row[6]) for row in tree], [row[7] for row in tree]
        sentences.append(Labelled([row[1] for row in tree], heads, relations, frames))
    return sentences


@pytest.fixture(scope="module")
def corpus() -> Dict[str, List[Labelled]]:
    parts = {p: read(SAMPLE / f"{p}.gold_conll", SAMPLE / f"{p}.conllu") for p in PARTS}
    for part in ("train", "dev"):
        folder = SAMPLE / "conll05"
        parts[f"conll05 {part}"] = read(folder / f"{part}.conll", folder / f"{part}.conllu")
    return parts


def below(sentence: Labelled, token: int) -> List[int]:
    children = [i for i, head in enumerate(sentence.heads) if head == token + 1]
    return sorted([token] + [p for child in children for p in below(sentence, child)])


@pytest.mark.medium
def test_committed_files_are_what_the_script_writes():
    command = [sys.executable, str(ROOT / "scripts" / "make_sample.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.medium
def test_check_names_files_that_differ(tmp_path: Path):
    (tmp_path / "train.gold_conll").write_text("something else\n")
    command = [sys.executable, str(ROOT / "scripts" / "make_sample.py"), "--check"]
    result = subprocess.run(
        [*command, "--folder", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert f"{tmp_path / 'train.gold_conll'} is not what this script writes" in result.stdout


def test_sizes(corpus):
    sizes = {part: len(sentences) for part, sentences in corpus.items()}
    assert sizes == {
        "train": 600,
        "dev": 120,
        "test": 120,
        "conll05 train": 300,
        "conll05 dev": 120,
    }
    lengths = [len(s.words) for part in PARTS for s in corpus[part]]
    assert min(lengths) == 1 and 25 < max(lengths) <= 40
    total = sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file())
    assert total < 2_500_000


def test_trees(corpus):
    crossing, total = 0, 0
    for sentences in corpus.values():
        for sentence in sentences:
            assert sentence.heads.count(0) == 1
            root = sentence.heads.index(0)
            assert sentence.relations[root] == "root" and sentence.relations.count("root") == 1
            assert below(sentence, root) == list(range(len(sentence.words)))
            arcs = [sorted((i + 1, h)) for i, h in enumerate(sentence.heads) if h]
            crossing += any(a < c < b < d for a, b in arcs for c, d in arcs)
            total += 1
    # A few trees are not projective, as in English.
    assert 0.005 < crossing / total < 0.05


def test_roles(corpus):
    for part, sentences in corpus.items():
        for sentence in sentences:
            for predicate, roles in sentence.frames:
                starts = [role for role, begins in roles if begins]
                assert starts.count("V") == 1
                assert roles[predicate][0] == "V" and roles[predicate][1]
                for place, (role, begins) in enumerate(roles):
                    earlier = [r for r, start in roles[:place] if start]
                    if begins and role.startswith("C-"):
                        assert role[2:] in earlier, (part, sentence.words, starts)
                    if begins and role.startswith(("R-ARG0", "R-ARG1", "R-A0", "R-A1")):
                        assert role[2:] in starts, (part, sentence.words, starts)
                # Only phrases broken by something else have a second piece.
                plain = [r for r in starts if r[0] == "A" and r[-1].isdigit()]
                assert len(plain) == len(set(plain)), (part, sentence.words, starts)


def test_arguments_begin_and_end_with_words(corpus):
    for sentence in (s for part in PARTS for s in corpus[part]):
        for _, roles in sentence.frames:
            for place, (role, begins) in enumerate(roles):
                if begins:
                    assert sentence.words[place] not in {",", ".", "``", "''"}, sentence.words
                last = place + 1 == len(roles) or roles[place + 1][1] or not roles[place + 1][0]
                if role and last:
                    assert sentence.words[place] not in {",", ".", "``"}, sentence.words


def test_subjects_of_passives_are_not_agents(corpus):
    seen: Counter = Counter()
    for sentence in (s for part in PARTS for s in corpus[part]):
        for predicate, roles in sentence.frames:
            for token, relation in enumerate(sentence.relations):
                if sentence.heads[token] == predicate + 1 and relation == "nsubj:pass":
                    seen[roles[token][0].replace("R-", "")] += 1
    assert set(seen) == {"ARG1", "ARG2"} and sum(seen.values()) > 50


def test_no_sentence_is_in_two_parts(corpus):
    texts = {p: [" ".join(s.words).lower().rstrip(" .!?") for s in corpus[p]] for p in PARTS}
    for part in PARTS:
        assert len(set(texts[part])) == len(texts[part])
    assert not set(texts["train"]) & set(texts["dev"])
    assert not set(texts["train"]) & set(texts["test"])
    assert not set(texts["dev"]) & set(texts["test"])


def with_phrases(sentences: List[Labelled]) -> List[Tuple[str, str, str, bool]]:
    """
    For each `with` phrase that ends right of a verb's object: verb, object, its noun, and whether
    it hangs on the verb; after checking that the verb's roles follow from that.
    """
    found = []
    for sentence in sentences:
        for predicate, roles in sentence.frames:
            objects = [
                i
                for i, head in enumerate(sentence.heads)
                if head == predicate + 1 and sentence.relations[i] == "obj" and i > predicate
            ]
            for case, word in enumerate(sentence.words):
                noun = sentence.heads[case] - 1
                if word != "with" or sentence.relations[case] != "case" or not objects:
                    continue
                phrase = below(sentence, noun)
                words = (
                    sentence.words[predicate],
                    sentence.words[objects[0]],
                    sentence.words[noun],
                )
                if sentence.heads[noun] == predicate + 1:
                    assert roles[phrase[0]][1], "the verb's phrase has a role of its own"
                    assert roles[phrase[0]][0] != roles[objects[0]][0]
                    found.append((*words, True))
                elif sentence.heads[noun] == objects[0] + 1:
                    assert roles[phrase[0]] == (roles[objects[0]][0], False)
                    found.append((*words, False))
    return found


def test_roles_follow_attachment(corpus):
    counts = {part: with_phrases(corpus[part]) for part in PARTS}
    for part, least in (("train", 40), ("dev", 8), ("test", 8)):
        attached = Counter(item[3] for item in counts[part])
        assert attached[True] >= least and attached[False] >= least, (part, attached)
    # Nouns that occur both ways: the phrase alone does not tell.
    nouns = [{item[2] for item in counts["train"] if item[3] == side} for side in (True, False)]
    assert len(nouns[0] & nouns[1]) >= 10
    pairs = {(item[0], item[2], item[3]) for item in counts["train"]}
    unseen = [i for i in counts["dev"] + counts["test"] if (i[0], i[2], i[3]) not in pairs]
    assert len(unseen) >= 10


@pytest.mark.medium
@pytest.mark.parametrize("part", PARTS)
def test_conll12_reader(corpus, part):
    reader = DatasetReader.by_name("conll12_srl")()
    instances = list(reader.read(str(SAMPLE / f"{part}.gold_conll")))
    assert_same(corpus[part], instances)


@pytest.mark.parametrize("part", ("train", "dev"))
def test_conll05_reader(corpus, part):
    reader = DatasetReader.by_name("conll05_srl")()
    instances = list(reader.read(str(SAMPLE / "conll05" / f"{part}.conll")))
    assert_same(corpus[f"conll05 {part}"], instances)


def test_combined_bio(corpus):
    reader = DatasetReader.by_name("conll05_srl")()
    instances = list(reader.read(str(SAMPLE / "conll05" / "dev.combined.bio")))
    assert_same(corpus["conll05 dev"], instances)


def assert_same(expected: List[Labelled], instances: list) -> None:
    assert len(instances) == len(expected)
    for labelled, instance in zip(expected, instances, strict=True):
        sentence = instance["metadata"]["sentence"]
        assert sentence.words == labelled.words
        heads = [0 if h == i else h + 1 for i, h in enumerate(sentence.parse.head_indices)]
        assert heads == labelled.heads and sentence.parse.head_tags == labelled.relations
        assert [frame.predicate for frame in sentence.frames] == [p for p, _ in labelled.frames]
        for frame, (_, roles) in zip(sentence.frames, labelled.frames, strict=True):
            bio = [f"{'B' if begins else 'I'}-{role}" if role else "O" for role, begins in roles]
            assert frame.tags == bio
