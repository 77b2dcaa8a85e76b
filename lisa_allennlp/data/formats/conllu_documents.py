"""
CoNLL-U with the documents, paragraphs and raw text of the sentences, in UD's comments (`# newdoc`,
`# newpar`, `# text`) and `SpaceAfter=No`. Roles are in MISC, as in `conllu_roles`.

    >>> import io
    >>> from lisa_allennlp.data.sentence import Sentence
    >>> text = "No rain."
    >>> sentence = Sentence(["No", "rain", "."], offsets=[(0, 2), (3, 7), (7, 8)], text=text)
    >>> file = io.StringIO()
    >>> write_conllu_document(Document(text, [sentence], {"id": "weather"}), file)
    >>> print(file.getvalue().replace("\\t", " "))
    # newdoc id = weather
    # newpar
    # sent_id = weather-1
    # text = No rain.
    1 No _ _ _ _ _ _ _ _
    2 rain _ _ _ _ _ _ _ SpaceAfter=No
    3 . _ _ _ _ _ _ _ _
    <BLANKLINE>
    <BLANKLINE>
"""

from typing import List, Sequence, TextIO, Tuple

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.formats.conllu import write_conllu_rows
from lisa_allennlp.data.formats.conllu_roles import rows_with_roles

_MISC = 9
_NO_SPACE = "SpaceAfter=No"


def write_conllu_document(document: Document, file: TextIO) -> None:
    """
    Writes the sentences of a document. A key `id` of the document becomes its id in the comments.

    # Raises

    `ValueError`
        As in `write_conllu_roles`.
    """
    paragraph_starts = set(document.paragraph_starts())
    starts = [(sentence.offsets or [(0, 0)])[0][0] for sentence in document.sentences]
    for position, sentence in enumerate(document.sentences):
        rows = rows_with_roles(sentence)
        following = starts[position + 1] if position + 1 < len(starts) else len(document.text) + 1
        text = _mark_spaces(rows.rows, sentence.offsets or [], following)
        comments = _comments(document, position, position in paragraph_starts)
        comments = [*comments, f"# text = {text}", *rows.comments]
        write_conllu_rows(rows._replace(comments=comments), file)


def _comments(document: Document, position: int, starts_paragraph: bool) -> List[str]:
    name = " ".join(str(document.extra.get("id", "")).split())
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
        parts.append(row[1])
        if end < start:
            parts.append(" ")
        else:
            row[_MISC] = _NO_SPACE if row[_MISC] == "_" else f"{row[_MISC]}|{_NO_SPACE}"
    return "".join(parts).rstrip(" ")
