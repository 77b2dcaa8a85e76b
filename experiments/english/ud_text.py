"""
The raw text of the documents of a UD treebank, as in the CoNLL 2018 shared task: an empty line
between paragraphs, and lines of 80 characters.
"""

import functools
import textwrap
from collections import defaultdict
from pathlib import Path
from typing import Container, Dict, Iterable, List, Optional, Sequence, Tuple

import conllu

from lisa_allennlp.sentence.sentence import Offsets

WIDTH = 80


def read_ud(path: Path, kept: Optional[Container[str]] = None) -> Iterable[List[conllu.TokenList]]:
    """
    Returns the sentences of each document of a treebank, with the number of their paragraph; of
    those that are `kept` by their `sent_id`, if given.
    """
    documents: Dict[str, List[conllu.TokenList]] = defaultdict(list)
    document, paragraph = "", 0
    with open(path, encoding="utf-8") as file:
        for tokens in conllu.parse_incr(file):
            document = tokens.metadata.get("newdoc id", document)
            paragraph += any(key.startswith("newpar") for key in tokens.metadata)
            if kept is None or tokens.metadata["sent_id"] in kept:
                tokens.metadata["paragraph"] = str(paragraph)
                documents[document].append(tokens)
    return documents.values()


def document_text(sentences: Sequence[conllu.TokenList]) -> Tuple[str, Sequence[Offsets]]:
    """Returns the text of a document of `read_ud`, and the offsets of each sentence's words."""
    text, paragraph = "", sentences[0].metadata["paragraph"]
    found: List[List[Tuple[int, int]]] = []
    for tokens in sentences:
        if tokens.metadata["paragraph"] != paragraph:
            text = text.rstrip() + "\n\n"
            paragraph = tokens.metadata["paragraph"]
        found.append([])
        for form, words, has_space in surface_tokens(tokens):
            found[-1] += word_offsets(len(text), form, words)
            text += form + " " * has_space
    return wrapped(text.rstrip()), found


def surface_tokens(tokens: conllu.TokenList) -> List[Tuple[str, List[str], bool]]:
    """Returns the form of each token, the words in it, and whether a blank follows."""
    found: List[Tuple[str, List[str], bool]] = []
    last_of_token = 0
    for token in tokens:
        has_space = (token["misc"] or {}).get("SpaceAfter") != "No"
        if isinstance(token["id"], int):
            if token["id"] > last_of_token:
                found.append((token["form"], [token["form"]], has_space))
            else:
                found[-1][1].append(token["form"])
        elif token["id"][1] == "-":
            last_of_token = token["id"][2]
            found.append((token["form"], [], has_space))
    return found


def word_offsets(start: int, form: str, words: Sequence[str]) -> List[Tuple[int, int]]:
    """Returns the offsets of the words of a token; the token's if they are spelled otherwise."""
    if "".join(words) != form:
        return [(start, start + len(form))] * len(words)
    offsets = []
    for word in words:
        offsets.append((start, start + len(word)))
        start += len(word)
    return offsets


def wrapped(text: str) -> str:
    """Returns the text in lines of at most 80 characters, with line breaks in place of blanks."""
    fill = functools.partial(textwrap.fill, break_long_words=False, break_on_hyphens=False)
    return "\n\n".join(fill(paragraph, WIDTH) for paragraph in text.split("\n\n"))
