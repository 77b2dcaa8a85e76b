"""The trees of sentences that stand in another file."""

import dataclasses
import itertools
from os import PathLike
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from lisa_allennlp.data.dataset_readers.corpus_files import local_path
from lisa_allennlp.data.formats.columns import LocatedSentence, read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.tokens import unescape_token


class ParsesFile:
    """
    A CoNLL-U (or CoNLL-X) file with one tree for each sentence of a corpus, in its order. The
    corpus may be several files: their sentences take the trees one after the other.

    # Parameters

    path : `str`
    expected : `str`
        What is expected there, for the message if it is missing.

    # Raises

    `CorpusFormatError`
        If there is no such file; in reading, if it is malformed or if it differs from the corpus
        in its words or in the number of its sentences.
    """

    def __init__(self, path: str, expected: str) -> None:
        self.path = path
        self.count = 0
        self._trees = parse_conllu(read_lines(local_path(path, expected)), path)

    def add_to(
        self, located: Iterator[LocatedSentence], path: str, attribute: str
    ) -> Iterator[LocatedSentence]:
        """
        # Parameters

        located : `Iterator[LocatedSentence]`
            The sentences of one file, lazily.
        path : `str`
            Its name, for errors.
        attribute : `str`
            What the tree becomes of the sentence: its `parse` or its `injected_parse`.

        # Returns

        `Iterator[LocatedSentence]`
            The sentences with the next trees.
        """
        for item in located:
            tree = next(self._trees, None)
            if tree is None:
                raise CorpusFormatError(
                    self.path,
                    None,
                    f"only {self.count} sentences",
                    f"a tree of the sentence at {path}:{item.line_numbers[0]} too",
                )
            _check_same_words(path, item, self.path, tree)
            changes: Dict[str, Any] = {attribute: tree.sentence.parse}
            sentence = dataclasses.replace(item.sentence, **changes)
            yield LocatedSentence(sentence, item.line_numbers)
            self.count += 1

    def check_end(self, path: Union[str, PathLike]) -> None:
        """
        # Parameters

        path : `Union[str, PathLike]`
            The corpus, all of whose sentences have their trees now.

        # Raises

        `CorpusFormatError`
            If there are trees left.
        """
        tree = next(self._trees, None)
        if tree is not None:
            found = f"sentence {self.count + 1}"
            expected = f"only the {self.count} sentences of {path}"
            raise CorpusFormatError(self.path, tree.line_numbers[0], found, expected)


def _check_same_words(
    path: str, item: LocatedSentence, parses_path: str, tree: LocatedSentence
) -> None:
    words, tree_words = item.sentence.words, tree.sentence.words
    if words == tree_words:
        return
    # One file may have `(` where the other has `-LRB-`.
    unescaped: List[Tuple[Optional[str], Optional[str]]] = list(
        itertools.zip_longest(map(unescape_token, words), map(unescape_token, tree_words))
    )
    for position, (word, tree_word) in enumerate(unescaped):
        if word == tree_word:
            continue
        if tree_word is None:
            found, line = f"the end of the sentence after '{tree_words[-1]}'", -1
        else:
            found, line = f"the word '{tree_words[position]}'", position
        if word is None:
            expected = f"the end of the sentence, as after {path}:{item.line_numbers[-1]}"
        else:
            expected = f"the word '{words[position]}', as in {path}:{item.line_numbers[position]}"
        raise CorpusFormatError(parses_path, tree.line_numbers[line], found, expected)
