"""
Lexical categories of Combinatory Categorial Grammar (supertags), and their file formats. CCGbank
writes categories as `N`, `S[dcl]`, `NP[nb]/N`, `(S\\NP)\\(S\\NP)`, and has atoms such as `,` and
`conj`.

- CCGbank's machine-readable derivations (`.auto`, LDC2005T13, section D.2 of its manual). Each
  takes two lines: `ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1`, then the derivation. Inner nodes are
  `(<T category head children> ... )`, leaves
  `(<L category modified-POS original-POS word predicate-argument-category>)`. Only leaves are read.
- The formats of the C&C tools: `word|POS|category word|POS|category ...`, one sentence per line,
  and the output of their multi-tagger, with several categories per word.
- Columns, laid out like CoNLL-U: one token per line, columns separated by tabs, an empty line after
  each sentence, `# ` before comments. The columns are token number (1-based), word, part of speech
  (`_` for none) and supertag.

    >>> lines = [
    ...     "ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1",
    ...     "(<T S[dcl] 1 2> (<L NP PRP PRP She NP>)"
    ...     " (<L S[dcl]\\\\NP VBD VBD sang S[dcl]\\\\NP_1>) )",
    ... ]
    >>> sentence = next(parse_auto(lines, "wsj_0001.auto"))
    >>> print(format_pipes(sentence))
    She|PRP|NP sang|VBD|S[dcl]\\NP
    >>> lines = ["1\\tShe\\t_\\tNP", "2\\tsang\\t_\\tS[dcl]\\\\NP"]
    >>> print(*next(parse_columns(lines, "train.tsv")).supertags)
    NP S[dcl]\\NP

For corpora without CCG categories, supertags are derived from dependency trees. Like a category,
such a label tells what a word combines with, and on which side.

    >>> dependency_supertags(Parse([1, 1, 1], ["nsubj", "root", "punct"]))
    ['nsubj/R', 'root+LR', 'punct/L']
"""

import re
from functools import lru_cache
from typing import Iterable, Iterator, List, Optional, Sequence

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import (
    NO_VALUE,
    PathName,
    at_least_one,
    check_is_one_line,
    check_start,
    check_value,
    count,
    sentence_blocks,
    split_at_blanks,
    split_at_tabs,
    tab_line,
)
from lisa_allennlp.formats.conllu import check_token, lines_with_tokens, parse_conllu
from lisa_allennlp.sentence.sentence import Parse, RankedSupertag, Sentence

RARE_CATEGORY = "@@RARE@@"
"""Replaces all categories outside the category set of a model."""

_ATOM = re.compile(r"[^\s()\[\]/\\<>|]+")
# Also marks conjuncts in derivations: the `conj` in `(S\NP)[conj]`.
_FEATURE = re.compile(r"\[[^\s()\[\]/\\<>|]+\]")
_SLASHES = ("/", "\\")
_MOST_BRACKETS = 100

_ID = re.compile(r"ID=(\S+)(?:\s+PARSER=\S+)?(?:\s+NUMPARSE=1)?")
_LEAF = re.compile(r"\(<L (\S+) (\S+) (\S+) (\S+) (\S+?)>\)(?=[\s)]|$)")
_NODES = re.compile(r"(?:\(<T \S+ [0-9]+ [0-9]+>|\)|\s)*")
_NODE_FORMS = (
    "(<L category modified-POS original-POS word predicate-argument-category>) or "
    "(<T category head children> ... )"
)
# A typo in CCGbank 1.1 and 1.2, in the derivation of wsj_0595.15.
_SLIPS = {r"((S[b]\NP)/NP)/": r"(S[b]\NP)/NP"}

_SEPARATOR = "|"

_ID_COLUMN, _WORD, _POS, _SUPERTAG = range(4)
_NUM_COLUMNS = 4


class _CategoryError(ValueError):
    """The text found, and the text expected."""


def check_category(path: PathName, number: int, text: str) -> None:
    """Raises a `CorpusFormatError` if a text is no category, or nested too deeply."""
    try:
        _check(text)
    except _CategoryError as error:
        raise CorpusFormatError(path, number, *error.args) from error


@lru_cache(maxsize=1 << 14)
def _check(text: str) -> None:
    if text.count("(") > _MOST_BRACKETS:
        found = f"{text.count('(')} opening parentheses in the category '{text}'"
        raise _CategoryError(found, f"at most {_MOST_BRACKETS}")
    end = _end_of_functor(text, 0)
    if end != len(text):
        raise _error(text, end, "a slash or the end of the category")


def _end_of_functor(text: str, start: int) -> int:
    position = _end_of_part(text, start)
    while text.startswith(_SLASHES, position):
        position = _end_of_part(text, position + 1)
    return position


def _end_of_part(text: str, start: int) -> int:
    if text.startswith("(", start):
        end = _end_of_functor(text, start + 1)
        if not text.startswith(")", end):
            raise _error(text, end, "a slash or ')'")
        end += 1
    else:
        match = _ATOM.match(text, start)
        if match is None:
            raise _error(text, start, "a basic category such as NP, or '('")
        end = match.end()
    feature = _FEATURE.match(text, end)
    return end if feature is None else feature.end()


def _error(text: str, position: int, expected: str) -> _CategoryError:
    at = f"'{text[position]}'" if position < len(text) else "the end"
    return _CategoryError(f"{at} at character {position + 1} of the category '{text}'", expected)


def parse_auto(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    """Reads the words, original parts of speech and categories of the leaves."""
    return at_least_one(_derivations(lines, path), path)


def _derivations(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    id_line: Optional[int] = None
    for number, line in enumerate(lines, start=1):
        line = line.strip()
        if not line:
            continue
        is_id = line.startswith("ID=")
        if is_id and id_line is not None:
            expected = f"the derivation that line {id_line} announces"
            raise CorpusFormatError(path, number, f"'{line}'", expected)
        if is_id and _ID.fullmatch(line) is None:
            expected = "'ID=... PARSER=GOLD NUMPARSE=1', with one derivation"
            raise CorpusFormatError(path, number, f"'{line}'", expected)
        if not is_id and id_line is None:
            expected = "a line 'ID=...' before each derivation"
            raise CorpusFormatError(path, number, f"'{line}'", expected)
        if is_id:
            id_line = number
        else:
            yield _read_leaves(path, number, line)
            id_line = None
    if id_line is not None:
        found = "the end of the file after this line"
        raise CorpusFormatError(path, id_line, found, "a derivation")


def _read_leaves(path: PathName, number: int, line: str) -> Sentence:
    leaves = _LEAF.findall(line)
    rest = _LEAF.sub("", line)
    nodes = _NODES.match(rest)
    assert nodes is not None
    if nodes.end() != len(rest) or not leaves:
        raise CorpusFormatError(path, number, f"'{rest[nodes.end() :]}'", _NODE_FORMS)
    if rest.count("(") != rest.count(")"):
        found = f"{rest.count('(')} nodes with {rest.count(')')} ends"
        raise CorpusFormatError(path, number, found, "as many")
    categories = [_SLIPS.get(category, category) for category, *_ in leaves]
    for category in categories:
        check_category(path, number, category)
    return Sentence(
        words=[word for _, _, _, word, _ in leaves],
        pos=[pos for _, _, pos, _, _ in leaves],
        supertags=categories,
    )


def parse_pipes(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    """
    Reads the format of the C&C tools, without empty lines and comments (`# ...`). `pos` is `None`
    if every part of speech of a sentence is `-`.
    """
    sentences = (
        _read_pipes(path, number, tokens)
        for number, line in enumerate(lines, start=1)
        if (tokens := split_at_blanks(line.rstrip("\r\n"))) and tokens[0] != "#"
    )
    return at_least_one(sentences, path)


def _read_pipes(path: PathName, number: int, tokens: List[str]) -> Sentence:
    rows = []
    for token in tokens:
        check_is_one_line(path, number, token)
        # From the right: words may contain the separator, tags and categories do not.
        row = token.rsplit(_SEPARATOR, 2)
        if len(row) != 3 or not all(row):
            raise CorpusFormatError(path, number, f"'{token}'", "word|POS|category")
        check_category(path, number, row[2])
        rows.append(row)
    words, pos, supertags = map(list, zip(*rows, strict=True))
    return Sentence(words, None if set(pos) == {NO_VALUE} else pos, supertags=supertags)


def format_pipes(sentence: Sentence) -> str:
    """Writes `word|POS|category ...` without a line break, with `-` for unknown parts of speech."""
    if sentence.supertags is None:
        raise ValueError("found a sentence without supertags; expected a supertag per word")
    rows = zip(sentence.words, _pos(sentence), sentence.supertags, strict=True)
    line = " ".join(
        _SEPARATOR.join(
            [check_value(word), check_value(tag, _SEPARATOR + " \t\r\n"), check_value(supertag)]
        )
        for word, tag, supertag in rows
    )
    return check_start(line)


def format_multitags(sentence: Sentence, candidates: Sequence[Sequence[RankedSupertag]]) -> str:
    """
    Formats a multi-tagger's output for the C&C parser. Each line has a word, its part of speech,
    the number of categories, then each category (best first) and its probability, between tabs.
    """
    text = ""
    for word, tag, ranked in zip(sentence.words, _pos(sentence), candidates, strict=True):
        row = [word, tag, str(len(ranked))]
        for supertag, probability in ranked:
            row += [supertag, f"{probability:.6g}"]
        text += tab_line(row)
    return text


def _pos(sentence: Sentence) -> Sequence[str]:
    return sentence.pos if sentence.pos is not None else [NO_VALUE] * len(sentence.words)


def parse_columns(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    token_lines = lines_with_tokens(lines, path, [], comment="# ")
    for block in at_least_one(sentence_blocks(token_lines, path, split_at_tabs), path):
        for position, (number, row) in enumerate(block.numbered_rows(), 1):
            if len(row) != _NUM_COLUMNS or not all(row):
                found = f"'{' '.join(row)}', {count(len(row), 'column')}"
                names = "number, word, part of speech, supertag"
                expected = f"{_NUM_COLUMNS} separated by tabs ({names})"
                raise CorpusFormatError(path, number, found, expected)
            check_token(path, number, row[_ID_COLUMN], row[_WORD], position)
            check_category(path, number, row[_SUPERTAG])
        words, tags, supertags = map(block.column, (_WORD, _POS, _SUPERTAG))
        yield Sentence(words, None if set(tags) == {"_"} else tags, supertags=supertags)


def parse_dependency_supertags(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    for sentence, _ in parse_conllu(lines, path):
        assert sentence.parse is not None
        yield Sentence(sentence.words, sentence.pos, supertags=dependency_supertags(sentence.parse))


def dependency_supertags(parse: Parse) -> List[str]:
    """
    Returns for each token its arc label, then `/` and the side of its head (roots have none), then
    `+` and the sides of its dependents, if any: `nsubj/R+L`, `punct/L`, `root+LR`.
    """
    supertags = []
    for token, (head, relation) in enumerate(zip(parse.head_indices, parse.head_tags, strict=True)):
        direction = "" if head == token else "/R" if head > token else "/L"
        dependents = parse.children[token]
        sides = "L" * any(d < token for d in dependents) + "R" * any(d > token for d in dependents)
        supertags.append(relation + direction + (f"+{sides}" if sides else ""))
    return supertags
