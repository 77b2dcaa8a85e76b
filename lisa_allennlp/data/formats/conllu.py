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
"""

import re
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

from lisa_allennlp.data.document import DOCUMENT, ID, Document
from lisa_allennlp.data.formats.columns import (
    Block,
    LocatedSentence,
    PathName,
    at_least_one,
    count,
    frames_in_order,
    read_number,
    sentence_blocks,
    split_at_tabs,
    tab_line,
    tree_from_columns,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import (
    UNKNOWN,
    VERB,
    LabelledSpan,
    bio_to_spans,
    join_roleset,
    spans_to_bio,
    split_roleset,
)
from lisa_allennlp.data.json_values import expected_of, fields_of, shown
from lisa_allennlp.data.sentence import Frame, Morphology, Sentence

_ID, _FORM, _LEMMA, _UPOS, _XPOS, _HEAD, _DEPREL, _MISC = 0, 1, 2, 3, 4, 6, 7, 9
_KEPT_COLUMNS = {"feats": 5, "deps": 8, "misc": _MISC}
_NUM_COLUMNS = 10
_COLUMN_NAMES = "id, form, lemma, UPOS, XPOS, features, head, deprel, deps, misc"
_NO_VALUE = "_"
# `3-4` is a surface token of words 3 and 4; `8.1` is an elided word.
_MULTIWORD_OR_EMPTY = re.compile(r"[0-9]+[-.][0-9]+")

_PREDICATE, _SPANS = "UP:PRED", "UP:ARGSPANS"
_NO_PREDICATES = "# predicates = 0"
_SPAN = re.compile(r"(?P<role>[^|,]+):(?P<first>[0-9]+)-(?P<last>[0-9]+)")
_NO_SPACE = "SpaceAfter=No"
_NEW_DOCUMENT = re.compile(r"# *newdoc\b(?: +id *= *(?P<id>.*))?")

_SENTENCE_ID = re.compile(r"# *sent_id *=")

CONLLU = "conllu"
"""The key of a sentence's `ConlluRecord`."""


class ConlluRecord(TypedDict, total=False):
    """What a sentence of a CoNLL-U file has beside words, tags, lemmas, tree and roles."""

    comments: Annotated[List[str], "The lines above it that begin with `#`."]
    feats: Annotated[List[str], "The features of each word."]
    deps: Annotated[List[str], "The enhanced dependencies of each word."]
    misc: Annotated[List[str], "The last column of each word, without the roles."]
    others: Annotated[
        List[Tuple[int, str]],
        "Multiword tokens and empty nodes: the number of words before each, and its line.",
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
    with `#`) and its multiword tokens and empty nodes, as in a `ConlluRecord`.
    """

    located: LocatedSentence
    rows: List[List[str]]
    comments: List[str]
    others: Sequence[Tuple[int, str]] = ()

    def comment(self, key: str) -> Optional[str]:
        """Returns the value of the comment `# key = value`, if there is one."""
        start = f"# {key} = "
        return next((line[len(start) :] for line in self.comments if line.startswith(start)), None)


def parse_conllu_rows(
    lines: Iterable[str],
    path: PathName,
    requires_parses: bool = True,
    pos_columns: Tuple[int, int] = (_XPOS, _UPOS),
) -> Iterator[CommentedRows]:
    """
    Reads sentences as `parse_conllu` does, but keeps all columns and comments. Parts of speech are
    from the first of `pos_columns` that has one.
    """
    comments: List[str] = []
    numbered = lines_with_tokens(lines, path, comments)
    blocks = sentence_blocks(numbered, path, split_at_tabs)
    for block in at_least_one(blocks, path):
        words, others = _words_and_others(path, block)
        located = _read_sentence(path, words, pos_columns, requires_parses)
        yield CommentedRows(located, words.rows, list(comments), others)
        comments.clear()


def parse_conllu_roles(
    lines: Iterable[str], path: PathName, document: Optional[str] = None
) -> Iterator[LocatedSentence]:
    """
    Reads sentences as `parse_conllu` does, with their roles, ids and a `ConlluRecord`. Trees are
    not required. The frames of a sentence are `None` if it has neither a predicate nor the comment
    `# predicates = 0`. The first sentences are those of a `document` if it has begun already.
    """
    for item in parse_conllu_rows(lines, path, requires_parses=False):
        document = document_of(item.comments, document)
        extra: Dict[str, Any] = {} if document is None else {DOCUMENT: document}
        if (name := item.comment("sent_id")) is not None:
            extra[ID] = name
        if kept := _kept(item):
            extra[CONLLU] = kept
        sentence = replace(item.located.sentence, frames=_read_frames(path, item), extra=extra)
        yield LocatedSentence(sentence, item.located.line_numbers)


def document_of(comments: Iterable[str], document: Optional[str] = None) -> Optional[str]:
    """Returns the id of the document that a sentence is in, from that of the sentence before it."""
    for line in comments:
        if match := _NEW_DOCUMENT.match(line):
            document = match["id"] and match["id"].strip()
    return document


def _kept(item: CommentedRows) -> Dict[str, List[Any]]:
    """The `ConlluRecord` of a sentence, without what is empty."""
    kept: Dict[str, List[Any]] = {
        "comments": [line for line in item.comments if line != _NO_PREDICATES],
        "feats": [row[_KEPT_COLUMNS["feats"]] for row in item.rows],
        "deps": [row[_KEPT_COLUMNS["deps"]] for row in item.rows],
        "misc": [_without_roles(row[_MISC]) for row in item.rows],
        "others": list(map(list, item.others)),
    }
    return {key: value for key, value in kept.items() if any(v != _NO_VALUE for v in value)}


def has_more_than_ids(sentence: Sentence) -> bool:
    """
    Whether a sentence has a `ConlluRecord` with more than the comments with its ids, or something
    else under its key.
    """
    try:
        kept = _record(sentence)
    except ValueError:
        return True
    comments = kept.get("comments", ())
    ids = (_NEW_DOCUMENT.match(line) or _SENTENCE_ID.match(line) for line in comments)
    return not (all(ids) and {*kept} <= {"comments"})


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
    for a root, `_` if there is none. Without any head, the tree is `None` unless it is required.
    Parts of speech are `None` if all of them are `_`.
    """
    heads, parse = block.column(head), None
    if requires_parses or any(head != _NO_VALUE for head in heads):
        if _NO_VALUE in heads:
            number = block.line_numbers[heads.index(_NO_VALUE)]
            raise CorpusFormatError(path, number, "no head ('_')", "a parsed sentence")
        parse = tree_from_columns(path, block.line_numbers, heads, block.column(head_tag))
    known_pos = None if all(tag == _NO_VALUE for tag in pos) else pos
    sentence = Sentence(block.column(_FORM), known_pos, parse=parse)
    return LocatedSentence(sentence, block.line_numbers)


def _words_and_others(path: PathName, block: Block) -> Tuple[Block, List[Tuple[int, str]]]:
    words = Block([], [])
    others: List[Tuple[int, str]] = []
    for number, row in zip(block.line_numbers, block.rows, strict=True):
        if len(row) != _NUM_COLUMNS:
            expected = f"{_NUM_COLUMNS} separated by tabs ({_COLUMN_NAMES})"
            raise CorpusFormatError(path, number, count(len(row), "column"), expected)
        if _MULTIWORD_OR_EMPTY.fullmatch(row[_ID]) and row[_FORM]:
            others.append((len(words.rows), "\t".join(row)))
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


def _read_roleset(roleset: str) -> Tuple[str, str]:
    """The lemma and the sense of a predicate."""
    lemma, _, number = roleset.rpartition(".") if "." in roleset else (roleset, "", _NO_VALUE)
    lemma, number = _decode(lemma), _decode(number)
    return lemma, join_roleset(lemma, number)


def _read_tags(path: PathName, line: int, predicate: int, arguments: str, length: int) -> List[str]:
    spans = []
    for argument in arguments.split(",") if arguments != _NO_VALUE else []:
        match = _SPAN.fullmatch(argument)
        if match is None:
            found = f"'{argument}' in {_SPANS}"
            raise CorpusFormatError(path, line, found, "ROLE:FIRST-LAST with two token ids")
        role, first, last = match.groups()
        ends = [read_number(end) or length + 1 for end in (first, last)]
        spans.append(LabelledSpan(unquote(role), ends[0] - 1, ends[1] - 1))
    try:
        tags = spans_to_bio(spans, length)
    except ValueError as error:
        expected = f"disjoint spans of the tokens 1 to {length}"
        raise CorpusFormatError(path, line, f"'{arguments}' in {_SPANS}", expected) from error
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
    sentences: Iterable[Sentence], file: TextIO, document: Optional[Any] = None
) -> None:
    """
    As `write_conllu`, with the roles, and with the ids and the `ConlluRecord` of the extra keys.
    Frames must have a label per word. The first sentences may be those of a `document` that has
    begun already.
    """
    for sentence in sentences:
        rows = _rows(sentence)
        found = sentence.extra.get(DOCUMENT)
        is_new = found is not None and found != document and document_of(rows.comments) is None
        begins = [f"# newdoc id = {_one_line(found)}"] * is_new
        document = found
        write_conllu_rows(rows._replace(comments=[*begins, *rows.comments]), file)


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


Sentence.to_conllu = to_conllu
Sentence.from_conllu = staticmethod(from_conllu)


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
            size = len(sentence.words) if key in _KEPT_COLUMNS else None
            found, expected = kept[key], expected_of(hint, kept[key], size)
            if key == "comments" and not all(re.fullmatch("#[^\r\n]*", c) for c in kept[key]):
                expected = "lines that begin with '#'"
            if expected:
                break
    if expected:
        raise ValueError(f"found {shown(found, 80)} in `{CONLLU}`; expected {expected}")
    return kept


def _rows(sentence: Sentence) -> CommentedRows:
    unknown = [_NO_VALUE] * len(sentence.words)
    heads = None if sentence.parse is None else list(map(str, sentence.parse.heads))
    columns = sentence.lemmas, sentence.upos, sentence.pos, heads, sentence.head_tags
    known = (unknown if column is None else column for column in columns)
    rows = [
        [str(number), word, lemma, upos, tag, "_", head, head_tag, "_", "_"]
        for number, (word, lemma, upos, tag, head, head_tag) in enumerate(
            zip(sentence.words, *known, strict=True), start=1
        )
    ]
    kept: Mapping[str, Any] = _record(sentence)
    for key, column in _KEPT_COLUMNS.items():
        for row, value in zip(rows, kept.get(key, ()), strict=False):
            row[column] = value
    for frame in frames_in_order(sentence) if sentence.frames else []:
        own = rows[frame.predicate]
        own[_MISC] = "|".join([own[_MISC]] * (own[_MISC] != _NO_VALUE) + [_misc(frame)])
    comments = list(kept.get("comments", ()))
    if ID in sentence.extra and not any(map(_SENTENCE_ID.match, comments)):
        comments.append(f"# sent_id = {_one_line(sentence.extra[ID])}")
    comments += [_NO_PREDICATES] * (sentence.frames == [])
    return CommentedRows(LocatedSentence(sentence, []), rows, comments, kept.get("others", ()))


def _one_line(name: Any) -> str:
    return " ".join(str(name).split())


def _misc(frame: Frame) -> str:
    spans = bio_to_spans(frame.tags)
    verbs = [span for span in spans if span.role == VERB]
    if verbs == [LabelledSpan(VERB, frame.predicate, frame.predicate)]:
        spans.remove(verbs[0])
    arguments = ",".join(f"{_encode(role)}:{first + 1}-{last + 1}" for role, first, last in spans)
    lemma, number = (
        _NO_VALUE if value == UNKNOWN else _encode(value)
        for value in split_roleset(frame.lemma, frame.sense)
    )
    return f"{_PREDICATE}={lemma}.{number}" + (f"|{_SPANS}={arguments}" if arguments else "")


def _encode(value: str) -> str:
    """The value with `%XX` for characters that separate values, and for a value `_`."""
    if value == _NO_VALUE:
        return "%5F"
    return re.sub(r"[%|,. \t\r\n]", lambda match: f"%{ord(match.group()):02X}", value)


def _decode(value: str) -> str:
    return UNKNOWN if value in ("", _NO_VALUE) else unquote(value)


def write_conllu_document(document: Document, file: TextIO) -> None:
    """
    Writes the sentences of a document as `write_conllu_roles` does. A key `id` of the document
    becomes its id in the comments.
    """
    paragraph_starts = set(document.paragraph_starts())
    starts = [(sentence.offsets or [(0, 0)])[0][0] for sentence in document.sentences]
    for position, sentence in enumerate(document.sentences):
        rows = _rows(sentence)
        following = starts[position + 1] if position + 1 < len(starts) else len(document.text) + 1
        text = _mark_spaces(rows.rows, sentence.offsets or [], following)
        comments = _comments(document, position, position in paragraph_starts)
        comments = [*comments, f"# text = {text}", *rows.comments]
        write_conllu_rows(rows._replace(comments=comments), file)


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


def _mark_spaces(rows: List[List[str]], offsets: Sequence[Tuple[int, int]], following: int) -> str:
    """
    Adds `SpaceAfter=No` to the tokens that no white space follows. Returns the text of the sentence
    in one line, with a blank for any white space.
    """
    parts = []
    ends = [end for _, end in offsets]
    for row, end, start in zip(rows, ends, [*(s for s, _ in offsets[1:]), following], strict=True):
        parts.append(row[_FORM])
        if end < start:
            parts.append(" ")
        else:
            row[_MISC] = _NO_SPACE if row[_MISC] == "_" else f"{row[_MISC]}|{_NO_SPACE}"
    return "".join(parts).rstrip(" ")
