"""What the readers of all SRL corpora share."""

import dataclasses
import itertools
import logging
from os import PathLike
from typing import Any, ClassVar, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader, Field, Instance, Token, TokenIndexer
from allennlp.data.fields import MetadataField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from lisa_allennlp.data.dataset_readers.corpus_files import corpus_files, file_beside, local_path
from lisa_allennlp.data.fields import FramesField, LabelsField
from lisa_allennlp.data.formats.columns import LocatedSentence, read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.joint_tags import join_tag
from lisa_allennlp.data.formats.structures import Sentence
from lisa_allennlp.data.formats.tokens import unescape_token

logger = logging.getLogger(__name__)


class SrlReader(DatasetReader):
    """
    Reads a corpus with semantic roles, and the trees of its sentences from CoNLL-U (or CoNLL-X)
    files beside it: `train.conllu` for `train.gold_conll`, with the same sentences and words in
    the same order. Subclasses know one format of SRL files.

    # Parameters

    token_indexers : `Dict[str, TokenIndexer]`, optional
        (default = `{"tokens": SingleIdTokenIndexer()}`)
    parses_suffix : `Optional[str]`, optional (default = `".conllu"`)
        How the names of the files with gold trees end; `null` to read no trees. An SRL file that
        holds trees itself, as `.combined.bio` does, needs no such file and none is read for it.
    injected_parses_suffix : `Optional[str]`, optional (default = `None`)
        The same of files with trees to inject into the syntactic head, another parser's for
        example; `null` to inject none.

    # Raises

    `CorpusFormatError`
        In reading, if a file is missing or malformed, or if the files differ in their words.
    """

    suffixes: ClassVar[Tuple[str, ...]]
    """How the names of such SRL files end; the file with the trees has its suffix instead."""

    pattern: ClassVar[str]
    """The names of the SRL files that are read from a folder."""

    def __init__(
        self,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        parses_suffix: Optional[str] = ".conllu",
        injected_parses_suffix: Optional[str] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs
        )
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        self._parses_suffix = parses_suffix
        self._injected_parses_suffix = injected_parses_suffix

    def parse_lines(self, lines: Iterable[str], path: str) -> Iterator[LocatedSentence]:
        """
        # Parameters

        lines : `Iterable[str]`
            The lines of an SRL file.
        path : `str`
            Its name, for errors.

        # Returns

        `Iterator[LocatedSentence]`
        """
        raise NotImplementedError

    def read_sentences(self, file_path: Union[str, PathLike]) -> Iterator[Sentence]:
        """
        # Parameters

        file_path : `Union[str, PathLike]`
            An SRL file, or a folder of them.

        # Returns

        `Iterator[Sentence]`
            All sentences with everything that is known of them, lazily.
        """
        for path in corpus_files(file_path, self.pattern):
            logger.info("Reading sentences from %s", path)
            located = self.parse_lines(read_lines(cached_path(path)), path)
            located = self._with_gold_parses(located, path)
            if self._injected_parses_suffix is not None:
                parses_path = file_beside(path, self.suffixes, self._injected_parses_suffix)
                located = _add_parses(located, path, parses_path, "injected_parse")
            yield from (sentence for sentence, _ in located)

    def _with_gold_parses(
        self, located: Iterator[LocatedSentence], path: str
    ) -> Iterator[LocatedSentence]:
        first = next(located)
        located = itertools.chain([first], located)
        if self._parses_suffix is None:
            return map(_without_parse, located)
        if first.sentence.parse is not None:
            return located
        parses_path = file_beside(path, self.suffixes, self._parses_suffix)
        return _add_parses(located, path, parses_path, "parse")

    def _read(self, file_path: Union[str, PathLike]) -> Iterator[Instance]:
        for sentence in self.shard_iterable(self.read_sentences(file_path)):
            yield self.text_to_instance(sentence)

    def text_to_instance(self, sentence: Sentence) -> Instance:
        """
        # Parameters

        sentence : `Sentence`

        # Returns

        `Instance`
            The fields `tokens` and `metadata` (with the `sentence`) and, of whatever annotation
            the sentence has, `joint_tags`, `frames`, `head_indices`, `head_tags` and
            `injected_head_indices`.
        """
        tokens = TextField([Token(word) for word in sentence.words])
        fields: Dict[str, Field] = {"tokens": tokens}
        fields.update(_srl_fields(sentence, tokens))
        fields.update(_parse_fields(sentence, tokens))
        fields["metadata"] = MetadataField({"sentence": sentence})
        return Instance(fields)

    def apply_token_indexers(self, instance: Instance) -> None:
        instance["tokens"].token_indexers = self._token_indexers  # type: ignore[attr-defined]


def _srl_fields(sentence: Sentence, tokens: TextField) -> Dict[str, Field]:
    fields: Dict[str, Field] = {}
    if sentence.frames is not None:
        fields["frames"] = FramesField(sentence.frames, tokens)
    if sentence.frames is not None and sentence.pos is not None:
        predicates = {frame.predicate for frame in sentence.frames}
        joint_tags = [join_tag(tag, i in predicates) for i, tag in enumerate(sentence.pos)]
        fields["joint_tags"] = LabelsField(joint_tags, tokens, "joint_tags")
    return fields


def _parse_fields(sentence: Sentence, tokens: TextField) -> Dict[str, Field]:
    fields: Dict[str, Field] = {}
    if sentence.parse is not None:
        fields["head_indices"] = LabelsField(sentence.parse.head_indices, tokens)
        fields["head_tags"] = LabelsField(sentence.parse.head_tags, tokens, "head_tags")
    if sentence.injected_parse is not None:
        heads = sentence.injected_parse.head_indices
        fields["injected_head_indices"] = LabelsField(heads, tokens)
    return fields


def _without_parse(item: LocatedSentence) -> LocatedSentence:
    sentence = dataclasses.replace(item.sentence, parse=None)
    return LocatedSentence(sentence, item.line_numbers)


def _add_parses(
    located: Iterator[LocatedSentence], path: str, parses_path: str, attribute: str
) -> Iterator[LocatedSentence]:
    option = "parses_suffix" if attribute == "parse" else "injected_parses_suffix"
    expected = (
        f"the trees of {path}. The reader's option `{option}` says how the name of their file "
        "ends; null reads none"
    )
    lines = read_lines(local_path(parses_path, expected))
    count = 0
    for item, tree in itertools.zip_longest(located, parse_conllu(lines, parses_path)):
        if item is None or tree is None:
            raise _unequal_numbers(path, item, parses_path, tree, count)
        _check_same_words(path, item, parses_path, tree)
        sentence = dataclasses.replace(item.sentence, **{attribute: tree.sentence.parse})
        yield LocatedSentence(sentence, item.line_numbers)
        count += 1


def _unequal_numbers(
    path: str,
    item: Optional[LocatedSentence],
    parses_path: str,
    tree: Optional[LocatedSentence],
    count: int,
) -> CorpusFormatError:
    if tree is not None:
        found = f"sentence {count + 1}"
        return CorpusFormatError(
            parses_path, tree.line_numbers[0], found, f"only the {count} sentences of {path}"
        )
    assert item is not None
    return CorpusFormatError(
        parses_path,
        None,
        f"only {count} sentences",
        f"a tree of the sentence at {path}:{item.line_numbers[0]} too",
    )


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
