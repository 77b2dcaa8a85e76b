"""Annotation from a second file with the same sentences as the corpus."""

from os import PathLike
from typing import Iterator, Union

from lisa_allennlp.data.corpus_files import local_path
from lisa_allennlp.data.formats.columns import LocatedSentence, read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.same_words import check_same_words
from lisa_allennlp.data.sentence import Sentence


class AlignedFile:
    """
    A CoNLL-U (or CoNLL-X) file with the sentences and words of a corpus, in the same order. The
    corpus may consist of several files, which take their annotation from here one after the other.
    A subclass implements `annotated`, which says what to take.

        >>> import dataclasses
        >>> class TagsInLowerCase(AlignedFile):
        ...     content = "tags"
        ...     def annotated(self, sentence, aligned):
        ...         tags = [tag.lower() for tag in aligned.sentence.pos]
        ...         return dataclasses.replace(sentence, pos=tags)
        >>> corpus = "fixtures/sample/dev.conllu"
        >>> tags = TagsInLowerCase(corpus, expected="the tags of the corpus")
        >>> sentences = list(tags.add_to(parse_conllu(read_lines(corpus), corpus), corpus))
        >>> tags.check_end(corpus)
        >>> sentences[0].sentence.pos[:4]
        ['dt', 'nn', 'rb', 'vbd']

    # Parameters

    expected : `str`
        A description of the file, for the error if it is missing.
    use_language_specific_pos, requires_parses : `bool`, optional (default = `True`)
        As in `parse_conllu`.

    # Raises

    `CorpusFormatError`
        If the file is missing. While reading, if it is malformed, or if its words or its number of
        sentences differ from the corpus.
    """

    content: str
    """What the file has for each sentence, for errors."""

    def __init__(
        self,
        path: str,
        expected: str,
        use_language_specific_pos: bool = True,
        requires_parses: bool = True,
    ) -> None:
        self.path = path
        self.count = 0
        lines = read_lines(local_path(path, expected))
        self._sentences = parse_conllu(lines, path, use_language_specific_pos, requires_parses)

    def annotated(self, sentence: Sentence, aligned: LocatedSentence) -> Sentence:
        """
        # Parameters

        sentence : `Sentence`
            A sentence of the corpus.
        aligned : `LocatedSentence`
            The same sentence in this file.

        # Returns

        `Sentence`
            The sentence of the corpus with the annotation of this file.
        """
        raise NotImplementedError

    def add_to(self, located: Iterator[LocatedSentence], path: str) -> Iterator[LocatedSentence]:
        """
        # Parameters

        located : `Iterator[LocatedSentence]`
            The sentences of one corpus file.
        path : `str`
            The name of that file, for errors.

        # Returns

        `Iterator[LocatedSentence]`
            The sentences with the annotation of this file.
        """
        for item in located:
            aligned = next(self._sentences, None)
            if aligned is None:
                raise CorpusFormatError(
                    self.path,
                    None,
                    f"only {self.count} sentences",
                    f"{self.content} for the sentence at {path}:{item.line_numbers[0]} too",
                )
            check_same_words(path, item, self.path, aligned)
            yield LocatedSentence(self.annotated(item.sentence, aligned), item.line_numbers)
            self.count += 1

    def check_end(self, path: Union[str, PathLike]) -> None:
        """
        # Parameters

        path : `Union[str, PathLike]`
            The corpus, which has been read to its end.

        # Raises

        `CorpusFormatError`
            If there are sentences left.
        """
        aligned = next(self._sentences, None)
        if aligned is not None:
            found = f"sentence {self.count + 1}"
            expected = f"the end of the file after {self.count} sentences, as in {path}"
            raise CorpusFormatError(self.path, aligned.line_numbers[0], found, expected)
