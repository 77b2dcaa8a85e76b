"""
CoNLL-U and CoNLL-X: dependency trees, one token per line. Ten columns are separated by tabs: id,
form, lemma, two parts of speech, features, head, arc label and two more.

Semantic roles are in the last column, MISC. Keys and values are those of the columns of Universal
PropBank 2.0, except that commas separate arguments, as `|` separates the keys of MISC:

- `UP:PRED=LEMMA.SENSE` marks a predicate. `_` stands for an unknown lemma or sense.
- `UP:ARGSPANS=ROLE:FIRST-LAST,...` has its arguments, if any: their first and last token ids.

As in Universal PropBank, the predicate itself (`V`) is an argument only if it has more tokens than
the marked one. The comment `# predicates = 0` tells a sentence without predicates from one without
annotation. `%`, `|`, `,`, `.` and blanks within names are percent-encoded.

    >>> import io
    >>> words, tags = ["She", "sang", "a", "song"], ["B-ARG0", "B-V", "B-ARG1", "I-ARG1"]
    >>> sentence = Sentence(words, frames=[Frame(1, tags, lemma="sing", sense="sing.01")])
    >>> file = io.StringIO()
    >>> write_conllu_roles([sentence], file)
    >>> lines = file.getvalue().splitlines()
    >>> lines[1].split("\\t")[-1]
    'UP:PRED=sing.01|UP:ARGSPANS=ARG0:1-1,ARG1:3-4'
    >>> next(parse_conllu_roles(lines, "dev.conllu")).sentence == sentence
    True

Documents, paragraphs and raw text are in UD's comments (`# newdoc id = ...`, `# newpar`,
`# sent_id = ...`, `# text = ...`) and `SpaceAfter=No`. With the roles, comments and all columns are
read into the `extra` keys of a sentence, and written again: its ids as `document` and `id`, the
others as `conllu`, a `ConlluRecord`.

All readers also read CoNLL-U Plus, whose first line names the columns. The roles are there in the
columns of Universal PropBank (`universal_propbank`); a sentence without predicates has none.

    >>> plus = "# global.columns = ID FORM HEAD DEPREL UP:PRED UP:ARGHEADS"
    >>> rows = ["1\\tShe\\t2\\tnsubj\\t_\\t_", "2\\tsang\\t0\\troot\\tsing.01\\tA0:1"]
    >>> from_conllu("\\n".join([plus, *rows])).frames[0].tags
    ['B-ARG0', 'B-V']
"""

import logging
import re
from collections import Counter
from dataclasses import replace
from io import StringIO
from typing import (
    Annotated,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    TextIO,
    Tuple,
    TypedDict,
)
from urllib.parse import unquote

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.json_values import expected_of, fields_of, shown
from lisa_allennlp.formats import universal_propbank as up
from lisa_allennlp.formats.columns import (
    Block,
    LocatedSentence,
    PathName,
    at_least_one,
    check_is_one_line,
    check_value,
    count,
    frames_in_order,
    read_number,
    sentence_blocks,
    split_at_tabs,
    tab_line,
    tree_from_columns,
)
from lisa_allennlp.sentence.document import CONLLU, DOCUMENT, ID, Document
from lisa_allennlp.sentence.roles import (
    UNKNOWN,
    VERB,
    LabelledSpan,
    join_roleset,
    spans_to_bio,
    split_roleset,
)
from lisa_allennlp.sentence.sentence import Frame, Morphology, Offsets, Parse, Sentence

_ID, _FORM, _LEMMA, _UPOS, _XPOS, _HEAD, _DEPREL, _MISC = 0, 1, 2, 3, 4, 6, 7, 9
_KEPT_COLUMNS = {"xpos": _XPOS, "feats": 5, "deps": 8, "misc": _MISC}
_ONLY_IN_PLUS = ("arguments", "columns")
_NUM_COLUMNS = 10
_COLUMN_NAMES = "id, form, lemma, UPOS, XPOS, features, head, deprel, deps, misc"
PLUS_COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
# Rows of CoNLL-U Plus have these columns in memory, before all others.
_WITH_ROLES = (*PLUS_COLUMNS, *up.COLUMNS)
GLOBAL_COLUMNS = re.compile(r"# *global\.columns *=(?P<names>.*)")
"""The line above CoNLL-U Plus."""
_NO_VALUE = "_"
# `3-4` is a surface token of words 3 and 4; `8.1` is an elided word.
_MULTIWORD_OR_EMPTY = re.compile(r"[0-9]+[-.][0-9]+")

_PREDICATE, _SPANS = up.PREDICATE, up.SPANS
_NO_PREDICATES, _UNKNOWN_PREDICATES = "# predicates = 0", "# predicates = unknown"
_NO_SPACE = "SpaceAfter=No"
_NEW_DOCUMENT = re.compile(r"# *newdoc\b(?: +id *= *(?P<id>.*))?")

_TEXT = "# text = "
_SENTENCE_ID = re.compile(r"# *sent_id *=")

logger = logging.getLogger(__name__)


class ConlluRecord(TypedDict, total=False):
    """What a sentence of a CoNLL-U file has beside words, tags, lemmas, tree and roles."""

    comments: Annotated[List[str], "The lines above it that begin with `#`."]
    xpos: Annotated[List[str], "The part of speech of each word, if it is the universal one."]
    feats: Annotated[List[str], "The features of each word."]
    deps: Annotated[List[str], "The enhanced dependencies of each word."]
    misc: Annotated[List[str], "The last column of each word, without the roles."]
    others: Annotated[
        List[Tuple[int, str]],
        "Multiword tokens and empty nodes: the number of words before each, and its line.",
    ]
    arguments: Annotated[
        List[str],
        "Of CoNLL-U Plus: the arguments of each predicate as Universal PropBank names them, with "
        "their heads, unless the roles and the tree say the same.",
    ]
    columns: Annotated[
        Dict[str, List[str]], "Of CoNLL-U Plus: the other columns, with a value per word."
    ]


def parse_conllu(
    lines: Iterable[str],
    path: PathName,
    use_language_specific_pos: bool = True,
    requires_parses: bool = True,
) -> Iterator[LocatedSentence]:
    """
    Reads words, trees and, if the file has them, parts of speech. Multiword tokens and empty nodes
    are skipped: the tree does not contain them. With `use_language_specific_pos`, parts of speech
    are from XPOS (CoNLL-X: POSTAG), otherwise from UPOS (CPOSTAG); a token without a value in that
    column takes the other one's. A sentence with `_` for every head is refused or, unless
    `requires_parses`, has no parse.
    """
    pos_columns = (_XPOS, _UPOS) if use_language_specific_pos else (_UPOS, _XPOS)
    for item in parse_conllu_rows(lines, path, requires_parses, pos_columns):
        yield item.located


class CommentedRows(NamedTuple):
    """
    A sentence with all columns of its file, its comments (the lines above the sentence that start
    with `#`) and its multiword tokens and empty nodes, as in a `ConlluRecord`. Rows of CoNLL-U Plus
    have the columns of CoNLL-U, those of Universal PropBank and then all others, which are named;
    `has_roles` if the file has those of Universal PropBank.
    """

    located: LocatedSentence
    rows: List[List[str]]
    comments: List[str]
    others: Sequence[Tuple[int, str]] = ()
    has_roles: bool = False
    other_columns: Sequence[str] = ()

    def comment(self, key: str) -> Optional[str]:
        """Returns the value of the comment `# key = value`, if there is one."""
        start = f"# {key} = "
        return next((line[len(start) :] for line in self.comments if line.startswith(start)), None)


def parse_conllu_rows(
    lines: Iterable[str],
    path: PathName,
    requires_parses: bool = True,
    pos_columns: Tuple[int, int] = (_XPOS, _UPOS),
    columns: Optional[Sequence[str]] = None,
) -> Iterator[CommentedRows]:
    """
    Reads sentences as `parse_conllu` does, but keeps all columns and comments. Parts of speech are
    from the first of `pos_columns` that has one. `columns` are those of CoNLL-U Plus, unless the
    file names them.
    """
    for block, names, comments in at_least_one(named_blocks(lines, path, columns), path):
        others, width = [], _NUM_COLUMNS
        if names is not None:
            _check_names(path, names)
            block = _as_conllu(path, block, names)
            others = [name for name in names if name not in (*_WITH_ROLES, up.FLAG, up.FRAME)]
            width = len(_WITH_ROLES) + len(others)
        words, beside = _words_and_others(path, block, width)
        located = _read_sentence(path, words, pos_columns, requires_parses)
        has_roles = up.PREDICATE in (names or ())
        yield CommentedRows(located, words.rows, comments, beside, has_roles, others)


def named_blocks(
    lines: Iterable[str], path: PathName, names: Optional[Sequence[str]]
) -> Iterator[Tuple[Block, Optional[Sequence[str]], List[str]]]:
    """
    Yields the sentences of a file with the names of their columns, which are `names` unless the
    file names them as in CoNLL-U Plus, and their other comments.
    """
    found: List[str] = []
    for block in sentence_blocks(lines_with_tokens(lines, path, found), path, split_at_tabs):
        for match in filter(None, map(GLOBAL_COLUMNS.match, found)):
            names = match["names"].split()
        yield block, names, [line for line in found if not GLOBAL_COLUMNS.match(line)]
        found.clear()


def _check_names(path: PathName, names: Sequence[str]) -> None:
    """Refuses columns of CoNLL-U Plus that lack words or have the same names."""
    if not {"ID", "FORM"} <= {*names} or len({*names}) < len(names):
        expected = (
            "different ones, ID and FORM among them. `lisa prepare up` joins Universal PropBank's "
            "releases with the words of UD's"
        )
        raise CorpusFormatError(path, None, f"the columns {' '.join(names)}", expected)


def _as_conllu(path: PathName, block: Block, names: Sequence[str]) -> Block:
    """The rows of CoNLL-U Plus: columns of CoNLL-U, of Universal PropBank, and all others."""
    # The last name of Universal PropBank's first release stands for any number of columns.
    fixed = len(names) - (names[-1] == up.FRAME)
    rows = []
    lines = [
        (*line, _MULTIWORD_OR_EMPTY.fullmatch(line[1][0])) for line in zip(*block, strict=True)
    ]
    for number, row, is_beside in lines:
        if is_beside and fixed < len(names):
            # The first release leaves columns out there, or leaves them empty.
            row = [value or _NO_VALUE for value in row] + [_NO_VALUE] * (fixed - len(row))
        if len(row) < fixed or len(row) > fixed == len(names):
            expected = f"{len(names)} ({' '.join(names)})"
            raise CorpusFormatError(path, number, count(len(row), "column"), expected)
        values = dict.fromkeys(_WITH_ROLES, _NO_VALUE)
        values.update(zip(names[:fixed], row, strict=False))
        values.pop(up.FLAG, None)
        rows.append(values)
    if fixed < len(names):
        predicates = [values for values in rows if values[up.PREDICATE] != _NO_VALUE]
        items: List[List[str]] = [[] for _ in predicates]
        for number, row, is_beside in lines:
            for column, label in enumerate(row[fixed:], start=fixed):
                if label == _NO_VALUE or (is_beside and not label):
                    continue
                if is_beside or not label or column - fixed >= len(predicates):
                    found = f"'{label}' in column {column + 1}, at the token {row[0]}"
                    expected = f"a role at a word, in {count(len(predicates), 'column')}"
                    raise CorpusFormatError(path, number, found, f"{expected}, one per predicate")
                items[column - fixed].append(f"{label}:{row[0]}")
        for predicate, own in zip(predicates, items, strict=True):
            predicate[up.HEADS] = "|".join(own) or _NO_VALUE
    return Block(block.line_numbers, [list(values.values()) for values in rows])


def parse_conllu_roles(
    lines: Iterable[str],
    path: PathName,
    document: Optional[str] = None,
    spans_from_heads: bool = False,
    mended: Optional[Counter[str]] = None,
    columns: Optional[Sequence[str]] = None,
) -> Iterator[LocatedSentence]:
    """
    Reads sentences as `parse_conllu` does, with their roles, ids and a `ConlluRecord`. Trees are
    not required. The frames of a sentence are `None` if it has neither a predicate nor the comment
    `# predicates = 0`. The first sentences are those of a `document` if it has begun already.

    In CoNLL-U Plus with roles, they are `None` after `# predicates = unknown`. With
    `spans_from_heads`, spans there are made from `UP:ARGHEADS` and the tree. Arguments that are
    mended are counted in `mended`, or else logged in one line at the end. Lines without a first
    line that names the `columns` of CoNLL-U Plus are read by these names.
    """
    counts: Counter[str] = Counter() if mended is None else mended
    for item in parse_conllu_rows(lines, path, requires_parses=False, columns=columns):
        document = document_of(item.comments, document)
        extra: Dict[str, Any] = {} if document is None else {DOCUMENT: document}
        if (name := item.comment("sent_id")) is not None:
            extra[ID] = name
        arguments = [_NO_VALUE] * len(item.rows)
        if item.has_roles:
            frames = _read_frames_of_plus(path, item, arguments, counts, spans_from_heads)
        else:
            frames = _read_frames(path, item)
        if kept := _kept(item, arguments):
            extra[CONLLU] = kept
        text, offsets = _text_and_offsets(item)
        sentence = replace(
            item.located.sentence, frames=frames, extra=extra, text=text, offsets=offsets
        )
        yield LocatedSentence(sentence, item.located.line_numbers)
    if mended is None and counts.total():
        logger.warning("%s: mended arguments: %s", path, up.shown_counts(counts))


def document_of(comments: Iterable[str], document: Optional[str] = None) -> Optional[str]:
    """Returns the id of the document that a sentence is in, from that of the sentence before it."""
    for line in comments:
        if match := _NEW_DOCUMENT.match(line):
            document = match["id"] and match["id"].strip()
    return document


def _kept(item: CommentedRows, arguments: List[str]) -> Dict[str, Any]:
    """The `ConlluRecord` of a sentence, without what is empty."""
    marks = (_NO_PREDICATES, _UNKNOWN_PREDICATES)
    sentence = item.located.sentence
    kept: Dict[str, Any] = {
        "comments": [line for line in item.comments if line not in marks],
        "xpos": [row[_XPOS] for row in item.rows if sentence.pos == sentence.upos],
        "feats": [row[_KEPT_COLUMNS["feats"]] for row in item.rows],
        "deps": [row[_KEPT_COLUMNS["deps"]] for row in item.rows],
        "misc": [_without_roles(row[_MISC]) for row in item.rows],
        "others": list(map(list, item.others)),
        "arguments": arguments,
        "columns": {
            name: [row[column] for row in item.rows]
            for column, name in enumerate(item.other_columns, start=len(_WITH_ROLES))
        },
    }
    return {key: value for key, value in kept.items() if any(v != _NO_VALUE for v in value)}


class _Piece(NamedTuple):
    """A word, or a multiword token with its words: the form in the text, and the last column."""

    form: str
    misc: str
    words: List[str]


def _pieces(item: CommentedRows) -> Iterator[_Piece]:
    lines = ((first, split_at_tabs(line)) for first, line in item.others)
    ranges = {first: values for first, values in lines if "-" in values[_ID]}
    words, first = item.located.sentence.words, 0
    while first < len(words):
        values, number = ranges.get(first, item.rows[first]), 1
        if first in ranges:
            begin, _, end = values[_ID].partition("-")
            number = max(1, (read_number(end) or 0) - (read_number(begin) or 0) + 1)
        yield _Piece(values[_FORM], values[_MISC], words[first : first + number])
        first += number


def _text_and_offsets(item: CommentedRows) -> Tuple[Optional[str], Optional[Offsets]]:
    """
    The raw text of a sentence, from its comment or else `SpaceAfter=No`, and the places of the
    words in it; `None` if the words are not those of the text. The words of a multiword token have
    its offsets, unless they are its parts.
    """
    text, pieces = item.comment("text"), list(_pieces(item))
    if text is None:
        if not any(_has_no_space(piece.misc) for piece in pieces):
            return None, None
        parts = (piece.form + " " * (not _has_no_space(piece.misc)) for piece in pieces)
        text = "".join(parts).rstrip(" ")
    offsets: List[Tuple[int, int]] = []
    start = 0
    for form, _, words in pieces:
        while text[start : start + 1].isspace() and not text.startswith(form, start):
            start += 1
        end = start + len(form)
        if text[start:end] != form:
            return None, None
        is_split = "".join(words) == form
        for word in words:
            offsets.append((start, start + len(word) if is_split else end))
            start = offsets[-1][1] if is_split else start
        start = end
    return (None, None) if text[start:].strip() else (text, offsets)


def _has_no_space(misc: str) -> bool:
    return _NO_SPACE in misc.split("|")


def has_offsets(sentence: Sentence) -> bool:
    """Whether the `ConlluRecord` of a sentence has its raw text, from which its offsets are."""
    kept = _known_record(sentence)
    comments, misc = kept.get("comments", ()), kept.get("misc", ())
    return any(line.startswith(_TEXT) for line in comments) or any(map(_has_no_space, misc))


def has_own_tags(sentence: Sentence) -> bool:
    """Whether parts of speech are others than the universal ones, or in XPOS, too."""
    return sentence.pos != sentence.upos or "xpos" in _known_record(sentence)


def _known_record(sentence: Sentence) -> ConlluRecord:
    """The `ConlluRecord` of a sentence, empty if the key has something else."""
    try:
        return _record(sentence)
    except ValueError:
        return {}


def misc_values(sentence: Sentence, key: str) -> List[Optional[str]]:
    """
    Returns the value that each word has for a key of the last column, such as `Yes` of `Typo=Yes`.
    """
    items = (misc.split("|") for misc in _record(sentence).get("misc", [""] * len(sentence.words)))
    found = (dict(item.partition("=")[::2] for item in of_word) for of_word in items)
    return [values.get(key) for values in found]


def has_more_than_ids(sentence: Sentence) -> bool:
    """
    Whether a sentence has a `ConlluRecord` with more than the comments with its ids and what only
    CoNLL-U Plus holds, or something else under its key.
    """
    try:
        kept = _record(sentence)
    except ValueError:
        return True
    comments = kept.get("comments", ())
    ids = (_NEW_DOCUMENT.match(line) or _SENTENCE_ID.match(line) for line in comments)
    return not (all(ids) and {*kept} <= {"comments", *_ONLY_IN_PLUS})


def without_enhanced(extra: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns extra keys without the enhanced dependencies and empty nodes of another tree."""
    kept = extra.get(CONLLU)
    if not isinstance(kept, Mapping):
        return extra
    others = [
        [place, line] for place, line in kept.get("others", ()) if "." not in line.split("\t")[0]
    ]
    found = {**kept, "others": others}
    return {
        **extra,
        CONLLU: {key: value for key, value in found.items() if key != "deps" and value},
    }


def has_columns(sentence: Sentence) -> bool:
    """Whether a sentence has a `ConlluRecord` with what only CoNLL-U Plus holds."""
    kept = sentence.extra.get(CONLLU)
    return isinstance(kept, Mapping) and not {*_ONLY_IN_PLUS}.isdisjoint(kept)


def _without_roles(misc: str) -> str:
    values = [v for v in misc.split("|") if v.partition("=")[0] not in (_PREDICATE, _SPANS)]
    return "|".join(values) or _NO_VALUE


def lines_with_tokens(
    lines: Iterable[str], path: PathName, comments: List[str], comment: str = "#"
) -> Iterator[Tuple[int, str]]:
    """
    Adds the lines that begin with `comment` to `comments`, and numbers the others from 1. Refuses
    comments after a token of their sentence: a damaged token would be lost as a comment.
    """
    is_inside = False
    for number, line in enumerate(lines, start=1):
        if not line.startswith(comment):
            is_inside = bool(line.strip(" \t\r\n"))
            yield number, line
        elif is_inside:
            expected = "comments above the first token of a sentence only"
            found = f"the comment '{line.strip()}' within a sentence"
            raise CorpusFormatError(path, number, found, expected)
        else:
            comments.append(line.rstrip("\r\n"))
            check_is_one_line(path, number, comments[-1])


def _read_sentence(
    path: PathName, block: Block, pos_columns: Tuple[int, int], requires_parses: bool
) -> LocatedSentence:
    first, second = pos_columns
    pos = [row[first] if row[first] != _NO_VALUE else row[second] for row in block.rows]
    located = sentence_of_block(path, block, pos, _HEAD, _DEPREL, requires_parses)
    columns = block.column(_UPOS), block.column(_LEMMA)
    known = [None if set(column) == {_NO_VALUE} else column for column in columns]
    sentence = replace(located.sentence, morphology=Morphology(*known))
    return located._replace(sentence=sentence)


def sentence_of_block(
    path: PathName, block: Block, pos: List[str], head: int, head_tag: int, requires_parses: bool
) -> LocatedSentence:
    """
    Reads the words and, from the columns `head` and `head_tag`, the tree. Heads are 1-based, `0`
    for a root, `_` if there is none. Without any head, the tree is `None` unless it is required;
    without some, the known part is the `injected_parse`.
    Parts of speech are `None` if all of them are `_`.
    """
    heads, parse, part = block.column(head), None, None
    if requires_parses or any(head != _NO_VALUE for head in heads):
        is_whole = _NO_VALUE not in heads
        if requires_parses and not is_whole:
            number = block.line_numbers[heads.index(_NO_VALUE)]
            raise CorpusFormatError(path, number, "no head ('_')", "a parsed sentence")
        given = ["0" if head == _NO_VALUE else head for head in heads]
        tree = tree_from_columns(path, block.line_numbers, given, block.column(head_tag), is_whole)
        if is_whole:
            parse = tree
        else:
            places = zip(heads, tree.head_indices, strict=True)
            known = [-1 if head == _NO_VALUE else place for head, place in places]
            part = Parse(known, tree.head_tags)
    known_pos = None if all(tag == _NO_VALUE for tag in pos) else pos
    sentence = Sentence(block.column(_FORM), known_pos, parse=parse, injected_parse=part)
    return LocatedSentence(sentence, block.line_numbers)


def _words_and_others(
    path: PathName, block: Block, width: int
) -> Tuple[Block, List[Tuple[int, str]]]:
    words = Block([], [])
    others: List[Tuple[int, str]] = []
    for number, row in block.numbered_rows():
        if len(row) != width:
            expected = f"{_NUM_COLUMNS} separated by tabs ({_COLUMN_NAMES})"
            raise CorpusFormatError(path, number, count(len(row), "column"), expected)
        if _MULTIWORD_OR_EMPTY.fullmatch(row[_ID]) and row[_FORM]:
            # Universal PropBank says nothing of them.
            beside = row[len(_WITH_ROLES) :]
            is_empty = {*beside} <= {_NO_VALUE}
            values = [*row[:_NUM_COLUMNS], *([] if is_empty else beside)]
            others.append((len(words.rows), "\t".join(values)))
            continue
        check_token(path, number, row[_ID], row[_FORM], len(words.rows) + 1)
        words.line_numbers.append(number)
        words.rows.append(row)
    if not words.rows:
        raise CorpusFormatError(
            path, block.line_numbers[0], "a sentence without words", "a token with id 1"
        )
    return words, others


def check_token(path: PathName, line: int, id: str, form: str, position: int) -> None:
    """Refuses an empty form, and an id that is not the token's 1-based position."""
    if not form:
        raise CorpusFormatError(path, line, "a token without a form", "'_' for an unknown form")
    if id != str(position):
        expected = f"{position}, or a blank line before the next sentence"
        raise CorpusFormatError(path, line, f"token id '{id}'", expected)


def _read_frames(path: PathName, item: CommentedRows) -> Optional[List[Frame]]:
    frames = []
    for position, (row, line) in enumerate(zip(item.rows, item.located.line_numbers, strict=True)):
        misc = {key: value for key, _, value in (v.partition("=") for v in row[_MISC].split("|"))}
        if _PREDICATE in misc:
            if not misc[_PREDICATE]:
                found = f"{_PREDICATE} without a value"
                raise CorpusFormatError(path, line, found, f"{_PREDICATE}=LEMMA.SENSE")
            spans = misc.get(_SPANS, _NO_VALUE)
            tags = _read_tags(path, line, position, spans, len(item.rows))
            frames.append(Frame(position, tags, *_read_roleset(misc[_PREDICATE])))
        elif _SPANS in misc:
            found = f"{_SPANS} without {_PREDICATE}"
            raise CorpusFormatError(path, line, found, f"{_PREDICATE}=LEMMA.SENSE too")
    return frames if frames or _NO_PREDICATES in item.comments else None


def _read_frames_of_plus(
    path: PathName,
    item: CommentedRows,
    arguments: List[str],
    mended: Counter[str],
    spans_from_heads: bool,
) -> Optional[List[Frame]]:
    """The frames in Universal PropBank's columns; a list gets what they lack of the arguments."""
    frames, sentence = [], item.located.sentence
    for position, (row, line) in enumerate(zip(item.rows, item.located.line_numbers, strict=True)):
        predicate, heads, spans = row[_NUM_COLUMNS : len(_WITH_ROLES)]
        if predicate == _NO_VALUE:
            if (heads, spans) != (_NO_VALUE, _NO_VALUE):
                found = f"arguments without {_PREDICATE}"
                raise CorpusFormatError(path, line, found, f"LEMMA.SENSE in {_PREDICATE} too")
            continue
        try:
            found_here = up.read_arguments(
                sentence, position, heads, spans, mended, spans_from_heads
            )
        except up.ArgumentError as error:
            raise CorpusFormatError(path, line, *error.args) from error
        labelled = [LabelledSpan(a.role, a.first, a.last) for a in found_here]
        tags = _tags(position, labelled, len(item.rows))
        frames.append(Frame(position, tags, *_read_roleset(predicate)))
        named = up.shown_heads(found_here)
        if named != up.shown_heads(up.arguments_to_write(sentence, frames[-1])):
            arguments[position] = named
    return None if _UNKNOWN_PREDICATES in item.comments and not frames else frames


def _read_roleset(roleset: str) -> Tuple[str, str]:
    """The lemma and the sense of a predicate."""
    lemma, _, number = roleset.rpartition(".") if "." in roleset else (roleset, "", _NO_VALUE)
    lemma, number = _decode(lemma), _decode(number)
    return lemma, join_roleset(lemma, number)


def _read_tags(path: PathName, line: int, predicate: int, arguments: str, length: int) -> List[str]:
    try:
        items = up.read_items(arguments.replace(",", "|"), _SPANS, length)
        spans = [LabelledSpan(unquote(label), first, last) for label, first, last in items]
        return _tags(predicate, spans, length)
    except up.ArgumentError as error:
        raise CorpusFormatError(path, line, *error.args) from error
    except ValueError as error:
        expected = f"disjoint spans of the tokens 1 to {length}"
        raise CorpusFormatError(path, line, f"'{arguments}' in {_SPANS}", expected) from error


def _tags(predicate: int, spans: List[LabelledSpan], length: int) -> List[str]:
    """The BIO labels of a frame, whose predicate is a `V` unless the spans say otherwise."""
    tags = spans_to_bio(spans, length)
    if tags[predicate] == "O" and all(span.role != VERB for span in spans):
        tags[predicate] = f"B-{VERB}"
    return tags


def write_conllu(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes words, lemmas, parts of speech (`pos` as XPOS) and parses. Missing values become `_`.
    Roles are left out.
    """
    write_conllu_roles((replace(sentence, frames=None) for sentence in sentences), file)


def write_conllu_roles(
    sentences: Iterable[Sentence],
    file: TextIO,
    document: Optional[Any] = None,
    other_columns: Optional[Sequence[str]] = None,
) -> None:
    """
    As `write_conllu`, with the roles, and with the ids and the `ConlluRecord` of the extra keys.
    Frames must have a label per word. The first sentences may be those of a `document` that has
    begun already. With `other_columns`, these are the rows of `write_conllup`.
    """
    for sentence in sentences:
        rows = rows_of(sentence, other_columns)
        found = sentence.extra.get(DOCUMENT)
        is_new = found is not None and found != document and document_of(rows.comments) is None
        begins = [f"# newdoc id = {_one_line(found)}"] * is_new
        document = found
        write_conllu_rows(rows._replace(comments=[*begins, *rows.comments]), file)


def write_conllup(
    sentences: Iterable[Sentence],
    file: TextIO,
    document: Optional[Any] = None,
    other_columns: Optional[Sequence[str]] = None,
) -> None:
    """
    Writes CoNLL-U Plus: as `write_conllu_roles`, but with the roles in the columns of Universal
    PropBank, followed by `other_columns`, by default those that the sentences have.
    """
    if other_columns is None:
        sentences = list(sentences)
        other_columns = columns_of(sentences)
    file.write(_header(other_columns))
    write_conllu_roles(sentences, file, document, other_columns)


def _header(other_columns: Sequence[str]) -> str:
    return f"# global.columns = {' '.join([*_WITH_ROLES, *map(check_value, other_columns)])}\n"


def columns_of(sentences: Iterable[Sentence]) -> List[str]:
    """Returns the names of the other columns in the `ConlluRecord` of any sentence."""
    names = (name for sentence in sentences for name in _record(sentence).get("columns", {}))
    return list(dict.fromkeys(names))


def to_conllu(sentence: Sentence) -> str:
    """
    Returns CoNLL-U with the roles in MISC and a blank line at the end (docs/formats.md). Raises a
    `ValueError` if a value is empty or contains a tab or line break.
    """
    file = StringIO()
    # A sentence of other formats does not say whether it begins its document.
    write_conllu_roles([sentence], file, sentence.extra.get(DOCUMENT))
    return file.getvalue()


def from_conllu(text: str) -> Sentence:
    """
    Reads the CoNLL-U of one sentence, with the roles that `to_conllu` writes. Raises a
    `CorpusFormatError` if it has not exactly one.
    """
    found = list(parse_conllu_roles(text.splitlines(keepends=True), "CoNLL-U"))
    if len(found) != 1:
        raise CorpusFormatError("CoNLL-U", 1, f"{len(found)} sentences", "one")
    return found[0].sentence


def write_conllu_rows(sentence: CommentedRows, file: TextIO) -> None:
    """Writes one sentence with all its columns and comments, as `parse_conllu_rows` reads it."""
    for comment in sentence.comments:
        file.write(comment + "\n")
    others = list(sentence.others)
    for position, row in enumerate([*sentence.rows, None]):
        while others and (row is None or others[0][0] <= position):
            file.write(tab_line(split_at_tabs(others.pop(0)[1])))
        if row is not None:
            file.write(tab_line(row))
    file.write("\n")


def _record(sentence: Sentence) -> ConlluRecord:
    """The `ConlluRecord` of a sentence. Raises a `ValueError` if the key has something else."""
    kept = sentence.extra.get(CONLLU, {})
    found, expected = kept, expected_of(ConlluRecord, kept)
    for key, hint in fields_of(ConlluRecord).items() if not expected else ():
        if key in kept:
            size = len(sentence.words) if key in (*_KEPT_COLUMNS, "arguments") else None
            found, expected = kept[key], expected_of(hint, kept[key], size)
            for values in kept[key].values() if key == "columns" and not expected else ():
                expected = expected or expected_of(List[str], values, len(sentence.words))
            if key == "comments" and not all(re.fullmatch("#[^\r\n]*", c) for c in kept[key]):
                expected = "lines that begin with '#'"
            if expected:
                break
    if expected:
        raise ValueError(f"found {shown(found, 80)} in `{CONLLU}`; expected {expected}")
    return kept


def rows_of(sentence: Sentence, other_columns: Optional[Sequence[str]] = None) -> CommentedRows:
    unknown = [_NO_VALUE] * len(sentence.words)
    heads, tree = None, sentence.parse or sentence.injected_parse
    if tree is not None:
        places = zip(tree.head_indices, tree.heads, strict=True)
        heads = [_NO_VALUE if place < 0 else str(head) for place, head in places]
    # Readers take UPOS where XPOS is empty.
    xpos = None if sentence.pos == sentence.upos else sentence.pos
    head_tags = None if tree is None else tree.head_tags
    columns = sentence.lemmas, sentence.upos, xpos, heads, head_tags
    known = (unknown if column is None else column for column in columns)
    rows = [
        [str(number), word, lemma, upos, tag, "_", head, head_tag, "_", "_"]
        for number, (word, lemma, upos, tag, head, head_tag) in enumerate(
            zip(sentence.words, *known, strict=True), start=1
        )
    ]
    kept: Mapping[str, Any] = _record(sentence)
    for key, column in _KEPT_COLUMNS.items():
        # Of tags that were changed, the record has others.
        is_old = key == "xpos" and sentence.pos != sentence.upos
        for row, value in zip(rows, () if is_old else kept.get(key, ()), strict=False):
            row[column] = value
    is_plus = other_columns is not None
    if is_plus:
        _add_columns(sentence, kept, rows, other_columns or ())
    for frame in frames_in_order(sentence) if sentence.frames and not is_plus else []:
        own = rows[frame.predicate]
        own[_MISC] = "|".join([own[_MISC]] * (own[_MISC] != _NO_VALUE) + [_misc(frame)])
    comments = list(kept.get("comments", ()))
    if ID in sentence.extra and not any(map(_SENTENCE_ID.match, comments)):
        comments.append(f"# sent_id = {_one_line(sentence.extra[ID])}")
    if is_plus:
        comments += [_UNKNOWN_PREDICATES] * (sentence.frames is None)
    else:
        comments += [_NO_PREDICATES] * (sentence.frames == [])
    names = [*kept.get("columns", ())]
    others = []
    for position, line in kept.get("others", ()):
        values = split_at_tabs(line)
        beside = dict(zip(names, values[_NUM_COLUMNS:], strict=False))
        unknown = [_NO_VALUE] * len(up.COLUMNS) * is_plus
        plus = [*unknown, *(beside.get(name, _NO_VALUE) for name in other_columns or ())]
        others.append((position, "\t".join([*values[:_NUM_COLUMNS], *plus])))
    return _with_text(CommentedRows(LocatedSentence(sentence, []), rows, comments, others))


def _add_columns(
    sentence: Sentence, kept: Mapping[str, Any], rows: List[List[str]], other_columns: Sequence[str]
) -> None:
    """Adds the columns of Universal PropBank, and others, to those of CoNLL-U."""
    unknown = [_NO_VALUE] * len(rows)
    known = kept.get("arguments", unknown)
    frames = {frame.predicate: frame for frame in sentence.frames or []}
    others = [kept.get("columns", {}).get(name, unknown) for name in other_columns]
    for position, row in enumerate(rows):
        if frame := frames.get(position):
            arguments = up.arguments_to_write(sentence, frame, known[position])
            row += [_roleset(frame), *up.write_arguments(arguments)]
        else:
            row += [_NO_VALUE] * len(up.COLUMNS)
        row += [column[position] for column in others]


def _one_line(name: Any) -> str:
    return " ".join(str(name).split())


def _misc(frame: Frame) -> str:
    arguments = ",".join(
        f"{_encode(role)}:{first + 1}-{last + 1}" for role, first, last in up.arguments_of(frame)
    )
    return f"{_PREDICATE}={_roleset(frame)}" + (f"|{_SPANS}={arguments}" if arguments else "")


def _roleset(frame: Frame) -> str:
    lemma, number = (
        _NO_VALUE if value == UNKNOWN else _encode(value)
        for value in split_roleset(frame.lemma, frame.sense)
    )
    return f"{lemma}.{number}"


def _encode(value: str) -> str:
    return up.encode(value, "%|,.")


def _decode(value: str) -> str:
    return UNKNOWN if value in ("", _NO_VALUE) else unquote(value)


def write_conllu_document(
    document: Document, file: TextIO, other_columns: Optional[Sequence[str]] = None
) -> None:
    """
    Writes the sentences of a document as `write_conllu_roles` does. A key `id` of the document
    becomes its id in the comments.
    """
    paragraph_starts = set(document.paragraph_starts())
    for position, sentence in enumerate(document.sentences):
        rows = rows_of(sentence, other_columns)
        comments = _comments(document, position, position in paragraph_starts)
        write_conllu_rows(rows._replace(comments=[*comments, *rows.comments]), file)


def write_conllup_document(document: Document, file: TextIO) -> None:
    """Writes the sentences of a document as `write_conllu_document` does, in CoNLL-U Plus."""
    other_columns = columns_of(document.sentences)
    file.write(_header(other_columns))
    write_conllu_document(document, file, other_columns)


def _comments(document: Document, position: int, starts_paragraph: bool) -> List[str]:
    name = _one_line(document.extra.get(ID, ""))
    comments = []
    if position == 0:
        comments.append(f"# newdoc id = {name}" if name else "# newdoc")
    if starts_paragraph:
        comments.append("# newpar")
    if name:
        comments.append(f"# sent_id = {name}-{position + 1}")
    return comments


def text_of(sentence: Sentence) -> str:
    """Returns the raw text of a sentence of CoNLL-U; its words with blanks if there is none."""
    comments = sentence.extra.get(CONLLU, {}).get("comments", ())
    found = (line[len(_TEXT) :] for line in comments if line.startswith(_TEXT))
    return next(found, " ".join(sentence.words))


def _with_text(sentence: CommentedRows) -> CommentedRows:
    """
    Adds to a sentence with offsets, unless it has its text already, the text in one line, with a
    blank for any white space, and `SpaceAfter=No` to the tokens that none follows.
    """
    known, offsets = sentence.located.sentence, sentence.located.sentence.offsets
    if not offsets or has_offsets(known):
        # CoNLL-U that says where its words are stays as it is.
        return sentence
    end = offsets[-1][1]
    is_joined = known.text is not None and bool(known.text[end : end + 1].strip())
    others = [(position, split_at_tabs(line)) for position, line in sentence.others]
    multiword = {position: values for position, values in others if "-" in values[_ID]}
    starts = [*(start for start, _ in offsets[1:]), end + (not is_joined)]
    parts: List[str] = []
    first = 0
    for position, (row, (own, end), start) in enumerate(
        zip(sentence.rows, offsets, starts, strict=True)
    ):
        if start == own:
            # The words of a multiword token have its offsets.
            continue
        token, first = multiword.get(first, row), position + 1
        parts.append(token[_FORM])
        if end < start:
            parts.append(" ")
        elif _NO_SPACE not in token[_MISC].split("|"):
            token[_MISC] = _NO_SPACE if token[_MISC] == "_" else f"{token[_MISC]}|{_NO_SPACE}"
    text = "".join(parts).rstrip(" ")
    written = [(number, "\t".join(values)) for number, values in others]
    return sentence._replace(comments=[f"{_TEXT}{text}", *sentence.comments], others=written)
