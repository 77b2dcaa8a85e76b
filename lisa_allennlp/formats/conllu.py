"""
CoNLL-U and CoNLL-X: dependency trees, one token per line. Ten columns are separated by tabs: id,
form, lemma, two parts of speech, features, head, arc label and two more.

Semantic roles are in the last column, MISC. Keys and values are the columns of Universal PropBank
2.0, except that commas separate arguments, as `|` separates the keys of MISC:

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

_NO_VALUE = "_"
COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")

GLOBAL_COLUMNS = re.compile(r"# *global\.columns *=(?P<names>.*)")
"""The line above CoNLL-U Plus."""

# The keys of a `ConlluRecord` for columns of CoNLL-U, and for columns of CoNLL-U Plus alone.
_KEPT_COLUMNS = ("xpos", "feats", "deps", "misc")
_ONLY_IN_PLUS = ("arguments", "columns")
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


class CommentedRows(NamedTuple):
    """
    A sentence as in its file: its columns by name, with a value per word, its comments (the lines
    above the sentence that start with `#`) and its multiword tokens and empty nodes, as in a
    `ConlluRecord`. `columns` has the ten columns of CoNLL-U, the columns of Universal PropBank if
    the file has them, and all others.
    """

    located: LocatedSentence
    columns: Dict[str, List[str]]
    comments: List[str]
    others: Sequence[Tuple[int, str]] = ()

    @property
    def other_columns(self) -> List[str]:
        """The names of the columns of CoNLL-U Plus alone, without those with roles."""
        return _others(self.columns)

    def comment(self, key: str) -> Optional[str]:
        """Returns the value of the comment `# key = value`, if there is one."""
        start = f"# {key} = "
        return next((line[len(start) :] for line in self.comments if line.startswith(start)), None)


def _others(names: Iterable[str]) -> List[str]:
    return [name for name in names if name not in COLUMNS and name not in up.COLUMNS]


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
    pos_columns = ("XPOS", "UPOS") if use_language_specific_pos else ("UPOS", "XPOS")
    for item in parse_conllu_rows(lines, path, requires_parses, pos_columns):
        yield item.located


def parse_conllu_rows(
    lines: Iterable[str],
    path: PathName,
    requires_parses: bool = True,
    pos_columns: Tuple[str, str] = ("XPOS", "UPOS"),
    columns: Sequence[str] = COLUMNS,
) -> Iterator[CommentedRows]:
    """
    Reads sentences as `parse_conllu` does, but keeps all columns and comments. Parts of speech are
    from the first of `pos_columns` that has one. `columns` are the names of the file's columns,
    unless its first line names them.
    """
    for block, names, comments in at_least_one(named_blocks(lines, path, columns), path):
        rows = _named_rows(path, block, names)
        words: List[Dict[str, str]] = []
        numbers: List[int] = []
        others: List[Tuple[int, str]] = []
        for number, row in zip(block.line_numbers, rows, strict=True):
            if _MULTIWORD_OR_EMPTY.fullmatch(row["ID"]) and row["FORM"]:
                # Universal PropBank has no roles there.
                beside = [row[name] for name in _others(row)]
                is_empty = {*beside} <= {_NO_VALUE}
                values = [row[name] for name in COLUMNS] + beside * (not is_empty)
                others.append((len(words), "\t".join(values)))
                continue
            check_token(path, number, row["ID"], row["FORM"], len(words) + 1)
            words.append(row)
            numbers.append(number)
        if not words:
            found, expected = "a sentence without words", "a token with id 1"
            raise CorpusFormatError(path, block.line_numbers[0], found, expected)
        cells = {name: [row[name] for row in words] for name in rows[0]}
        sentence = _read_sentence(path, numbers, cells, pos_columns, requires_parses)
        yield CommentedRows(LocatedSentence(sentence, numbers), cells, comments, others)


def named_blocks(
    lines: Iterable[str], path: PathName, names: Sequence[str] = COLUMNS
) -> Iterator[Tuple[Block, Sequence[str], List[str]]]:
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


def _named_rows(path: PathName, block: Block, names: Sequence[str]) -> List[Dict[str, str]]:
    if not {"ID", "FORM"} <= {*names} or len({*names}) < len(names):
        expected = (
            "different ones, ID and FORM among them. `lisa prepare up` joins Universal PropBank's "
            "releases with the words of UD's"
        )
        raise CorpusFormatError(path, None, f"the columns {' '.join(names)}", expected)
    # The last name of Universal PropBank's first release stands for any number of columns.
    fixed = len(names) - (names[-1] == up.FRAME)
    known = dict.fromkeys([*COLUMNS, *(up.COLUMNS if _PREDICATE in names else ())], _NO_VALUE)
    rows = []
    for number, row in block.numbered_rows():
        if fixed < len(names) and _MULTIWORD_OR_EMPTY.fullmatch(row[0]):
            # The first release leaves columns out there, or leaves them empty.
            row[:] = [value or _NO_VALUE for value in row] + [_NO_VALUE] * (fixed - len(row))
        if len(row) < fixed or len(row) > fixed == len(names):
            expected = f"{len(names)} separated by tabs ({', '.join(names)})"
            raise CorpusFormatError(path, number, count(len(row), "column"), expected)
        rows.append({**known, **dict(zip(names[:fixed], row, strict=False))})
        rows[-1].pop(up.FLAG, None)
    if fixed < len(names):
        _join_roles(path, block, rows, fixed)
    return rows


def _join_roles(path: PathName, block: Block, rows: List[Dict[str, str]], fixed: int) -> None:
    """Joins the roles of a column per predicate, after the `fixed` ones, in `UP:ARGHEADS`."""
    predicates = [row for row in rows if row[_PREDICATE] != _NO_VALUE]
    items: List[List[str]] = [[] for _ in predicates]
    for number, row in block.numbered_rows():
        is_beside = _MULTIWORD_OR_EMPTY.fullmatch(row[0])
        for column, label in enumerate(row[fixed:]):
            if label == _NO_VALUE:
                continue
            if is_beside or not label or column >= len(predicates):
                found = f"'{label}' in column {fixed + column + 1}, at the token {row[0]}"
                expected = f"a role at a word, in {count(len(predicates), 'column')}"
                raise CorpusFormatError(path, number, found, f"{expected}, one per predicate")
            items[column].append(f"{label}:{row[0]}")
    for predicate, of_predicate in zip(predicates, items, strict=True):
        predicate[up.HEADS] = "|".join(of_predicate) or _NO_VALUE


def _read_sentence(
    path: PathName,
    numbers: Sequence[int],
    columns: Mapping[str, List[str]],
    pos_columns: Tuple[str, str],
    requires_parses: bool,
) -> Sentence:
    """
    Without any head, the tree is `None` unless it is required; without some, the known part is the
    `injected_parse`. Columns with `_` alone are `None`.
    """
    heads, parse, part = columns["HEAD"], None, None
    if requires_parses or any(head != _NO_VALUE for head in heads):
        is_whole = _NO_VALUE not in heads
        if requires_parses and not is_whole:
            number = numbers[heads.index(_NO_VALUE)]
            raise CorpusFormatError(path, number, "no head ('_')", "a parsed sentence")
        given = ["0" if head == _NO_VALUE else head for head in heads]
        tree = tree_from_columns(path, numbers, given, columns["DEPREL"], is_whole)
        if is_whole:
            parse = tree
        else:
            places = zip(heads, tree.head_indices, strict=True)
            known = [-1 if head == _NO_VALUE else place for head, place in places]
            part = Parse(known, tree.head_tags)
    pairs = zip(*(columns[name] for name in pos_columns), strict=True)
    pos = [second if first == _NO_VALUE else first for first, second in pairs]
    known_pos, *morphology = (
        None if {*values} == {_NO_VALUE} else values
        for values in (pos, columns["UPOS"], columns["LEMMA"])
    )
    return Sentence(
        columns["FORM"],
        known_pos,
        parse=parse,
        injected_parse=part,
        morphology=Morphology(*morphology),
    )


def parse_conllu_roles(
    lines: Iterable[str],
    path: PathName,
    document: Optional[str] = None,
    spans_from_heads: bool = False,
    mended: Optional[Counter[str]] = None,
    columns: Sequence[str] = COLUMNS,
) -> Iterator[LocatedSentence]:
    """
    Reads sentences as `parse_conllu` does, with their roles, ids and a `ConlluRecord`. Trees are
    not required. The frames of a sentence are `None` if it has neither a predicate nor the comment
    `# predicates = 0`. The first sentences belong to `document` if it has begun already.

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
        frames, arguments = _read_frames(path, item, counts, spans_from_heads)
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
    marks = (_NO_PREDICATES, _UNKNOWN_PREDICATES)
    sentence, columns = item.located.sentence, item.columns
    kept: Dict[str, Any] = {
        "comments": [line for line in item.comments if line not in marks],
        "xpos": columns["XPOS"] if sentence.pos == sentence.upos else [],
        "feats": columns["FEATS"],
        "deps": columns["DEPS"],
        "misc": list(map(_without_roles, columns["MISC"])),
        "others": list(map(list, item.others)),
        "arguments": arguments,
        "columns": {name: columns[name] for name in item.other_columns},
    }
    return {key: value for key, value in kept.items() if any(v != _NO_VALUE for v in value)}


class _Piece(NamedTuple):
    form: str
    misc: str
    words: List[str]


def _pieces(item: CommentedRows) -> Iterator[_Piece]:
    lines = ((first, split_at_tabs(line)) for first, line in item.others)
    ranges = {first: values for first, values in lines if "-" in values[0]}
    words, misc, first = item.located.sentence.words, item.columns["MISC"], 0
    while first < len(words):
        form, end_of_row, number = words[first], misc[first], 1
        if first in ranges:
            ids, form, *_, end_of_row = ranges[first][: len(COLUMNS)]
            begin, _, end = ids.partition("-")
            number = max(1, (read_number(end) or 0) - (read_number(begin) or 0) + 1)
        yield _Piece(form, end_of_row, words[first : first + number])
        first += number


def _text_and_offsets(item: CommentedRows) -> Tuple[Optional[str], Optional[Offsets]]:
    """
    Returns the text, from its comment or `SpaceAfter=No`, and the places of the words in it; `None`
    if it has other words. Words of a multiword token have its offsets, unless they are its parts.
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
    """Whether the `ConlluRecord` of a sentence has its raw text, which determines its offsets."""
    kept = _known_record(sentence)
    comments, misc = kept.get("comments", ()), kept.get("misc", ())
    return any(line.startswith(_TEXT) for line in comments) or any(map(_has_no_space, misc))


def has_own_tags(sentence: Sentence) -> bool:
    """Whether parts of speech differ from the universal ones, or stand in XPOS, too."""
    return sentence.pos != sentence.upos or "xpos" in _known_record(sentence)


def _known_record(sentence: Sentence) -> ConlluRecord:
    try:
        return _record(sentence)
    except ValueError:
        return {}


def misc_values(sentence: Sentence, key: str) -> List[Optional[str]]:
    """Returns each word's value for a key of the last column, such as `Yes` of `Typo=Yes`."""
    items = (misc.split("|") for misc in _record(sentence).get("misc", [""] * len(sentence.words)))
    found = (dict(item.partition("=")[::2] for item in of_word) for of_word in items)
    return [values.get(key) for values in found]


def has_more_than_ids(sentence: Sentence) -> bool:
    """Whether a `ConlluRecord` has more than ids and columns of CoNLL-U Plus, or is malformed."""
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
    Numbers lines from 1, except those that begin with `comment`, which are added to `comments`. A
    comment inside a sentence is an error: a damaged token would be lost as a comment.
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


def check_token(path: PathName, line: int, id: str, form: str, position: int) -> None:
    """Refuses an empty form, and an id that is not the token's 1-based position."""
    if not form:
        raise CorpusFormatError(path, line, "a token without a form", "'_' for an unknown form")
    if id != str(position):
        expected = f"{position}, or a blank line before the next sentence"
        raise CorpusFormatError(path, line, f"token id '{id}'", expected)


def _read_frames(
    path: PathName, item: CommentedRows, mended: Counter[str], spans_from_heads: bool
) -> Tuple[Optional[List[Frame]], List[str]]:
    """Also gives for each word the arguments in the columns that no frame has."""
    sentence, numbers = item.located
    in_columns, length = _PREDICATE in item.columns, len(numbers)
    values: Iterable[Tuple[str, ...]] = map(_roles_in_misc, item.columns["MISC"])
    if in_columns:
        values = zip(*(item.columns[name] for name in up.COLUMNS), strict=True)
    frames, names = [], [_NO_VALUE] * length
    for position, (line, (predicate, heads, spans)) in enumerate(zip(numbers, values, strict=True)):
        if predicate == _NO_VALUE == heads == spans:
            continue
        if predicate in ("", _NO_VALUE):
            column = up.HEADS if spans == _NO_VALUE else _SPANS
            found = f"{column} without {_PREDICATE}" if predicate else f"an empty {_PREDICATE}"
            raise CorpusFormatError(path, line, found, f"LEMMA.SENSE in {_PREDICATE}")
        try:
            if in_columns:
                arguments = up.read_arguments(
                    sentence, position, heads, spans, mended, spans_from_heads
                )
                labelled = [LabelledSpan(a.role, a.first, a.last) for a in arguments]
            else:
                read = up.read_items(spans, _SPANS, length)
                labelled = [LabelledSpan(unquote(label), *ends) for label, *ends in read]
            tags = spans_to_bio(labelled, length)
        except up.ArgumentError as error:
            raise CorpusFormatError(path, line, *error.args) from error
        except ValueError as error:
            expected = f"disjoint spans of the tokens 1 to {length}"
            found = f"'{spans.replace('|', ',')}' in {_SPANS}"
            raise CorpusFormatError(path, line, found, expected) from error
        if tags[position] == "O" and all(span.role != VERB for span in labelled):
            tags[position] = f"B-{VERB}"
        frames.append(Frame(position, tags, *_read_roleset(predicate)))
        if in_columns:
            named = up.shown_heads(arguments)
            is_known = named == up.shown_heads(up.arguments_to_write(sentence, frames[-1]))
            names[position] = _NO_VALUE if is_known else named
    is_annotated = (
        _UNKNOWN_PREDICATES not in item.comments if in_columns else _NO_PREDICATES in item.comments
    )
    return frames if frames or is_annotated else None, names


def _roles_in_misc(misc: str) -> Tuple[str, str, str]:
    if _PREDICATE not in misc and _SPANS not in misc:
        return _NO_VALUE, _NO_VALUE, _NO_VALUE
    values = {key: value for key, _, value in (v.partition("=") for v in misc.split("|"))}
    spans = values.get(_SPANS, _NO_VALUE).replace(",", "|")
    predicate = values.get(_PREDICATE)
    if predicate == _NO_VALUE:
        # In MISC, words that are no predicates lack the key.
        predicate = f"{_NO_VALUE}.{_NO_VALUE}"
    return _NO_VALUE if predicate is None else predicate, _NO_VALUE, spans


def _read_roleset(roleset: str) -> Tuple[str, str]:
    lemma, _, number = roleset.rpartition(".") if "." in roleset else (roleset, "", _NO_VALUE)
    lemma, number = _decode(lemma), _decode(number)
    return lemma, join_roleset(lemma, number)


def write_conllu(sentences: Iterable[Sentence], file: TextIO) -> None:
    """Writes words, lemmas, parts of speech (`pos` as XPOS) and parses, without the roles."""
    write_conllu_roles((replace(sentence, frames=None) for sentence in sentences), file)


def write_conllu_roles(
    sentences: Iterable[Sentence],
    file: TextIO,
    document: Optional[Any] = None,
    other_columns: Optional[Sequence[str]] = None,
) -> None:
    """
    As `write_conllu`, with the roles, and with the ids and the `ConlluRecord` of the extra keys.
    Frames must have a label per word. The first sentences may belong to a `document` that has begun
    already. With `other_columns`, these are the rows of `write_conllup`.
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
    Writes CoNLL-U Plus: `write_conllu_roles` with the roles in the columns of Universal PropBank,
    then `other_columns`, by default all that the sentences have.
    """
    if other_columns is None:
        sentences = list(sentences)
        other_columns = columns_of(sentences)
    file.write(_header(other_columns))
    write_conllu_roles(sentences, file, document, other_columns)


def _header(other_columns: Sequence[str]) -> str:
    names = [*COLUMNS, *up.COLUMNS, *map(check_value, other_columns)]
    return f"# global.columns = {' '.join(names)}\n"


def columns_of(sentences: Iterable[Sentence]) -> List[str]:
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
    """Reads one sentence of CoNLL-U. Raises a `CorpusFormatError` if there is not exactly one."""
    found = list(parse_conllu_roles(text.splitlines(keepends=True), "CoNLL-U"))
    if len(found) != 1:
        raise CorpusFormatError("CoNLL-U", 1, f"{len(found)} sentences", "one sentence")
    return found[0].sentence


def write_conllu_rows(sentence: CommentedRows, file: TextIO) -> None:
    for comment in sentence.comments:
        file.write(comment + "\n")
    others = list(sentence.others)
    for position, row in enumerate([*zip(*sentence.columns.values(), strict=True), ()]):
        while others and (not row or others[0][0] <= position):
            file.write(tab_line(split_at_tabs(others.pop(0)[1])))
        if row:
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
    """Returns a sentence in CoNLL-U or, with `other_columns`, in CoNLL-U Plus."""
    kept, tree = _record(sentence), sentence.parse or sentence.injected_parse
    has_roles, unknown = other_columns is not None, [_NO_VALUE] * len(sentence.words)
    heads = zip(tree.head_indices, tree.heads, strict=True) if tree else ()
    known: Dict[str, Optional[Iterable[str]]] = {
        "ID": (str(number) for number in range(1, len(sentence.words) + 1)),
        "FORM": sentence.words,
        "LEMMA": sentence.lemmas,
        "UPOS": sentence.upos,
        # Readers take UPOS where XPOS is empty.
        "XPOS": kept.get("xpos") if sentence.pos == sentence.upos else sentence.pos,
        "FEATS": kept.get("feats"),
        "HEAD": [_NO_VALUE if i < 0 else str(head) for i, head in heads] if tree else None,
        "DEPREL": tree.head_tags if tree else None,
        "DEPS": kept.get("deps"),
        "MISC": kept.get("misc"),
    }
    if has_roles:
        known.update(_columns_with_roles(sentence, kept))
    for name in other_columns or ():
        known[name] = kept.get("columns", {}).get(name)
    columns = {name: list(unknown if cells is None else cells) for name, cells in known.items()}
    for frame in frames_in_order(sentence) if sentence.frames and not has_roles else []:
        misc = columns["MISC"][frame.predicate]
        columns["MISC"][frame.predicate] = f"{misc}|{_misc(frame)}".removeprefix(f"{_NO_VALUE}|")
    comments = list(kept.get("comments", ()))
    if ID in sentence.extra and not any(map(_SENTENCE_ID.match, comments)):
        comments.append(f"# sent_id = {_one_line(sentence.extra[ID])}")
    if has_roles:
        comments += [_UNKNOWN_PREDICATES] * (sentence.frames is None)
    else:
        comments += [_NO_PREDICATES] * (sentence.frames == [])
    others = []
    for position, line in kept.get("others", ()):
        row = dict(zip((*COLUMNS, *kept.get("columns", ())), split_at_tabs(line), strict=False))
        others.append((position, "\t".join(row.get(name, _NO_VALUE) for name in columns)))
    return _with_text(CommentedRows(LocatedSentence(sentence, []), columns, comments, others))


def _columns_with_roles(sentence: Sentence, kept: ConlluRecord) -> Dict[str, Iterable[str]]:
    rows = [(_NO_VALUE,) * len(up.COLUMNS)] * len(sentence.words)
    known = kept.get("arguments", [_NO_VALUE] * len(rows))
    for frame in sentence.frames or []:
        arguments = up.arguments_to_write(sentence, frame, known[frame.predicate])
        rows[frame.predicate] = (_roleset(frame), *up.write_arguments(arguments))
    return {name: [row[place] for row in rows] for place, name in enumerate(up.COLUMNS)}


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
    """As `write_conllu_roles`. A key `id` of the document becomes its id in the comments."""
    paragraph_starts = set(document.paragraph_starts())
    for position, sentence in enumerate(document.sentences):
        rows = rows_of(sentence, other_columns)
        comments = _comments(document, position, position in paragraph_starts)
        write_conllu_rows(rows._replace(comments=[*comments, *rows.comments]), file)


def write_conllup_document(document: Document, file: TextIO) -> None:
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
    multiword = {position: values for position, values in others if "-" in values[0]}
    starts = [*(start for start, _ in offsets[1:]), end + (not is_joined)]
    parts: List[str] = []
    first = 0
    for position, (word, (own, end), start) in enumerate(
        zip(known.words, offsets, starts, strict=True)
    ):
        if start == own:
            # The words of a multiword token have its offsets.
            continue
        form, misc, place = word, sentence.columns["MISC"], position
        if first in multiword:
            form, misc, place = multiword[first][1], multiword[first], len(COLUMNS) - 1
        first = position + 1
        parts.append(form)
        if end < start:
            parts.append(" ")
        elif not _has_no_space(misc[place]):
            misc[place] = f"{misc[place]}|{_NO_SPACE}".removeprefix(f"{_NO_VALUE}|")
    text = "".join(parts).rstrip(" ")
    written = [(number, "\t".join(values)) for number, values in others]
    return sentence._replace(comments=[f"{_TEXT}{text}", *sentence.comments], others=written)
