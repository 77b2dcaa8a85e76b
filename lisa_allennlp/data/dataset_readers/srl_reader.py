"""The base class of the dataset readers for semantic roles."""

import dataclasses
import itertools
import logging
import math
import random
from functools import partial
from os import PathLike
from typing import (
    Any,
    ClassVar,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Tuple,
    Union,
    cast,
)

import torch
from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader, Field, Instance, Token, TokenIndexer
from allennlp.data.fields import TensorField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.fields import FramesField, LabelsField, PartialJointTagsField, SentenceField
from lisa_allennlp.formats import conll05, conll12
from lisa_allennlp.formats.annotated_files import AnnotatedFile, read_annotated
from lisa_allennlp.formats.columns import LocatedSentence, check_verbs, read_lines
from lisa_allennlp.formats.conllu import misc_values
from lisa_allennlp.formats.corpus_files import ParsesFile, corpus_files, file_beside
from lisa_allennlp.formats.corrections import (
    KnownLabels,
    annotated_whole,
    check_corrections,
    held_out,
    is_partial,
)
from lisa_allennlp.sentence.multiword_tokens import forms_of
from lisa_allennlp.sentence.roles import join_tag
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text.tokens import BracketForms

logger = logging.getLogger(__name__)

FACTUALITY = "Factuality"
"""The key, in the last column of CoNLL-U, of whether the event of a word happened."""

REPLAYED = 4
"""The number of replayed sentences for each new one."""

REPLAY_SEED = 1


class SrlReader(DatasetReader):
    """
    Reads semantic roles from SRL files, and dependency trees from CoNLL-U (or CoNLL-X) files beside
    them: `train.conllu` for `train.gold_conll`, with the same sentences and words in the same
    order. Each subclass reads one SRL format.

    # Parameters

    parses_suffix : `Optional[str]`, optional (default = `".conllu"`)
        The suffix of the files with gold trees; `null` reads no trees. SRL files that contain
        trees, such as `.combined.bio`, need no such file.
    injected_parses_suffix : `Optional[str]`, optional (default = `None`)
        The suffix of the files with trees to inject into the syntactic head, for example from
        another parser.
    injected_parses_path : `Optional[str]`, optional (default = `None`)
        The path of one file with the trees to inject into the whole corpus, instead of a suffix. If
        the corpus is a folder, its files are read in the order of their paths.
    allow_cycles : `bool`, optional (default = `False`)
        Whether the heads to inject may have cycles. They may have several roots in any case.
    one_predicate_per_instance : `bool`, optional (default = `False`)
        Create one instance per gold predicate instead of one per sentence (see `by_predicate`):
        the setting with gold predicates (LISA section 4.1, Table 2).
    senses : `bool`, optional (default = `False`)
        Whether to read the rolesets of predicates, which a model with a `sense_tagger` learns.
    """

    suffixes: ClassVar[Tuple[str, ...]]
    """The usual suffixes of SRL files, which the names of parse files replace."""

    pattern: ClassVar[str]
    """The names of SRL files in a folder."""

    _learn_unmarked_verbs = True

    def __init__(
        self,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        parses_suffix: Optional[str] = ".conllu",
        injected_parses_suffix: Optional[str] = None,
        injected_parses_path: Optional[str] = None,
        allow_cycles: bool = False,
        one_predicate_per_instance: bool = False,
        senses: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs
        )
        if injected_parses_suffix is not None and injected_parses_path is not None:
            raise ConfigurationError(
                f"found injected_parses_suffix '{injected_parses_suffix}' and injected_parses_path "
                f"'{injected_parses_path}'; expected only one of them"
            )
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        self.forms: Optional[BracketForms] = None
        """A trained model's brackets and quotation marks; `None` in training, which keeps them."""
        self._parses_suffix = parses_suffix
        self._injected_parses_suffix = injected_parses_suffix
        self._injected_parses_path = injected_parses_path
        self._allow_cycles = allow_cycles
        self._one_predicate_per_instance = one_predicate_per_instance
        self._senses = senses

    def parse_lines(self, lines: Iterable[str], path: str) -> Iterator[LocatedSentence]:
        raise NotImplementedError

    def read_sentences(self, file_path: Union[str, PathLike]) -> Iterator[Sentence]:
        injected = self._injected_file()
        for path in corpus_files(file_path, self.pattern):
            logger.info("Reading sentences from %s", path)
            located = self.parse_lines(read_lines(cached_path(path)), path)
            located = map(partial(check_verbs, path), located)
            located = self._with_gold_parses(located, path)
            located = self._with_injected_parses(located, path)
            if injected is not None:
                located = injected.add_to(located, path)
            yield from (sentence for sentence, _ in located)
        if injected is not None:
            injected.check_end(file_path)

    def _with_gold_parses(
        self, located: Iterator[LocatedSentence], path: str
    ) -> Iterator[LocatedSentence]:
        first = next(located)
        located = itertools.chain([first], located)
        if self._parses_suffix is None:
            return (
                item._replace(sentence=dataclasses.replace(item.sentence, parse=None))
                for item in located
            )
        if first.sentence.parse is not None:
            return located
        parses_path = file_beside(path, self.suffixes, self._parses_suffix)
        parses = ParsesFile(parses_path, _expected_trees(path, "parses_suffix"))
        return parses.add_all(located, path)

    def _injected_file(self) -> Optional[ParsesFile]:
        if self._injected_parses_path is None:
            return None
        expected = "a CoNLL-U file for the reader's option `injected_parses_path`"
        return self._injected_parses(self._injected_parses_path, expected)

    def _with_injected_parses(
        self, located: Iterator[LocatedSentence], path: str
    ) -> Iterator[LocatedSentence]:
        if self._injected_parses_suffix is None:
            return located
        parses_path = file_beside(path, self.suffixes, self._injected_parses_suffix)
        expected = _expected_trees(path, "injected_parses_suffix")
        return self._injected_parses(parses_path, expected).add_all(located, path)

    def _injected_parses(self, path: str, expected: str) -> ParsesFile:
        return ParsesFile(path, expected, "injected_parse", self._allow_cycles)

    def _read(self, file_path: Union[str, PathLike]) -> Iterator[Instance]:
        yield from self._instances(self.read_sentences(file_path))

    def _instances(
        self, sentences: Iterable[Sentence], in_part: bool = False
    ) -> Iterator[Instance]:
        # The methods of a subclass may know nothing of it.
        options = {"in_part": True} if in_part else {}
        for sentence in self.shard_iterable(sentences):
            if self._one_predicate_per_instance:
                yield from self.by_predicate(sentence, **options)
            else:
                yield self.text_to_instance(sentence, **options)

    def text_to_instance(self, sentence: Sentence, in_part: bool = False) -> Instance:
        """
        Creates the fields `tokens` and `metadata` (with the `sentence`) and, if the sentence has
        the annotation, `joint_tags`, `frames`, `head_indices`, `head_tags` and
        `injected_head_indices`. For a corpus that is annotated in part (`in_part`), each sentence
        has all of the annotation's fields and also `labelled_head_indices`, with unknown labels.
        """
        return Instance(self._fields(sentence, in_part))

    def _fields(self, sentence: Sentence, in_part: bool) -> Dict[str, Field]:
        if in_part:
            trees = self._parses_suffix is not None
            return _partial_fields(sentence, self._senses, trees, self._learn_unmarked_verbs)
        return _fields(sentence, self._senses)

    def by_predicate(self, sentence: Sentence, in_part: bool = False) -> Iterator[Instance]:
        """
        Creates one instance per predicate, with a field `predicate_indicator` (1 at its predicate,
        0 elsewhere) and only its frame in `frames`. Every instance trains the joint tags and the
        tree of the sentence. Metrics read the metadata, which has tags and tree in the first
        instance only, so that each tag and arc is scored once; the vocabulary counts the words once
        too. A sentence without predicates becomes one instance, with an indicator of 0 everywhere.
        """
        fields = self._fields(sentence, in_part)
        sentence = annotated_whole(sentence)
        yield Instance({**fields, **_frame_fields(sentence, fields, 0, self._senses)})
        scored_in_part = dataclasses.replace(sentence, pos=None, parse=None)
        for number in range(1, len(sentence.frames or [])):
            of_frame = _frame_fields(scored_in_part, fields, number, self._senses)
            yield _SameWords({**fields, **of_frame})

    def apply_token_indexers(self, instance: Instance) -> None:
        tokens = cast(TextField, instance["tokens"])
        if self.forms is not None:
            words = [token.ensure_text() for token in tokens]
            tokens.tokens = [Token(word) for word in self.forms.write(words)]
        tokens.token_indexers = self._token_indexers


class _SameWords(Instance):
    """Counts only its frames for the vocabulary: another instance counts the words."""

    __slots__: List[str] = []

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        self.fields["frames"].count_vocab_items(counter)


def _fields(sentence: Sentence, senses: bool) -> Dict[str, Field]:
    tokens = TextField([Token(word) for word in sentence.words])
    fields: Dict[str, Field] = {"tokens": tokens}
    if sentence.frames is not None:
        fields["frames"] = FramesField(sentence.frames, tokens, senses=senses)
    if sentence.frames is not None and sentence.pos is not None:
        predicates = {frame.predicate for frame in sentence.frames}
        joint_tags = [join_tag(tag, i in predicates) for i, tag in enumerate(sentence.pos)]
        fields["joint_tags"] = LabelsField(joint_tags, tokens, "joint_tags")
    if sentence.parse is not None:
        fields["head_indices"] = LabelsField(sentence.parse.head_indices, tokens)
        fields["head_tags"] = LabelsField(sentence.parse.head_tags, tokens, "head_tags")
    if sentence.injected_parse is not None:
        heads = sentence.injected_parse.head_indices
        fields["injected_head_indices"] = LabelsField(heads, tokens)
    fields["metadata"] = SentenceField(sentence)
    return fields


def _partial_fields(
    sentence: Sentence, senses: bool, trees: bool, learn_unmarked_verbs: bool
) -> Dict[str, Field]:
    known = KnownLabels.of(sentence, learn_unmarked_verbs)
    tokens = TextField([Token(word) for word in sentence.words])
    fields: Dict[str, Field] = {
        "tokens": tokens,
        "frames": FramesField(known.frames or [], tokens, senses=senses),
        "joint_tags": PartialJointTagsField(known.pos, known.predicates),
    }
    if trees:
        # The record of a corrected sentence has the whole tree that the person saw.
        parse = sentence.parse
        heads = [None] * len(sentence.words) if parse is None else parse.head_indices
        fields["head_indices"] = LabelsField(known.heads, tokens)
        fields["head_tags"] = LabelsField(known.head_tags, tokens, "head_tags")
        fields["labelled_head_indices"] = LabelsField(heads, tokens)
    fields["metadata"] = SentenceField(annotated_whole(sentence))
    return fields


def _frame_fields(
    sentence: Sentence, fields: Dict[str, Field], number: int, senses: bool
) -> Dict[str, Field]:
    tokens = cast(TextField, fields["tokens"])
    frames = (sentence.frames or [])[number : number + 1]
    indicator = [0] * len(sentence.words)
    for frame in frames:
        indicator[frame.predicate] = 1
    return {
        "frames": FramesField(frames, tokens, senses=senses),
        "predicate_indicator": LabelsField(indicator, tokens),
        "metadata": SentenceField(dataclasses.replace(sentence, frames=frames)),
    }


def _expected_trees(path: str, option: str) -> str:
    return (
        f"the trees of {path} (the reader's option `{option}` sets the suffix of their file; null "
        "reads none)"
    )


@DatasetReader.register("conll05_srl")
class Conll05SrlReader(SrlReader):
    """
    Reads semantic roles from CoNLL-2005 columns, either the official ones or the `.combined.bio`
    columns of LISA's authors. Parameters are as in `SrlReader`.
    """

    pattern = "*.conll"
    suffixes = conll05.SUFFIXES

    def parse_lines(self, lines: Iterable[str], path: str) -> Iterator[LocatedSentence]:
        return conll05.parse_conll05(lines, path)


@DatasetReader.register("conll12_srl")
class Conll12SrlReader(SrlReader):
    """
    Reads semantic roles from CoNLL-2012 columns: a `*.gold_conll` file, or all such files of a
    folder and its subfolders. Parameters are as in `SrlReader`.
    """

    pattern = conll12.PATTERN
    suffixes = conll12.SUFFIXES

    def parse_lines(self, lines: Iterable[str], path: str) -> Iterator[LocatedSentence]:
        return conll12.parse_conll12(lines, path)


@DatasetReader.register("annotated_srl")
class AnnotatedSrlReader(SrlReader):
    """
    Reads semantic roles and trees from a file of any format that `lisa convert` reads, such as the
    JSON lines of `lisa predict`. Its name or its content tells the format. Other parameters are as
    in `SrlReader`.

    Some sentences may lack tags, roles or trees, or have corrections (`formats.corrections`) that a
    person has not accepted as a whole. A model then learns the known labels only.

    In place of a file, there may be an object `{"new": FILE, "replay": FILE}`: with the sentences
    of the first file, `REPLAYED` times as many of the second one are read, drawn at random. Each of
    several `passes` draws other sentences of the second file, which may also be a list of files.

    # Parameters

    hold_out : `bool`, optional (default = `False`)
        Whether to leave out every fifth of the sentences that a person has accepted (`held_out`).
    passes : `int`, optional (default = `1`)
        How often to read the new sentences, if others are replayed: once per epoch, to avoid
        overfitting a small replay sample.
    use_language_specific_pos : `bool`, optional (default = `True`)
        Whether parts of speech are the treebank's own (XPOS) or, with `false`, the universal ones
        (UPOS). Where a file has no such tags, they are the other ones.
    learn_unmarked_verbs : `bool`, optional (default = `True`)
        Whether a model learns that a word with the universal tag `VERB` without a frame is no
        predicate. Roles that were projected from another language, as in Universal PropBank, miss
        many verbs: with `false`, only the tag of such a verb is learned, unless a person has
        accepted its sentence.
    factuality : `bool`, optional (default = `False`)
        Whether to read if the events of words happened, which a model with a
        `factuality_loss_weight` learns: the key `Factuality` in the last column of CoNLL-U, from -1
        (it did not) to 1. Other words have none.
    """

    suffixes = ()

    def __init__(
        self,
        hold_out: bool = False,
        passes: int = 1,
        use_language_specific_pos: bool = True,
        learn_unmarked_verbs: bool = True,
        factuality: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._factuality = factuality
        self._use_language_specific_pos = use_language_specific_pos
        self._learn_unmarked_verbs = learn_unmarked_verbs
        self._hold_out = hold_out
        self._passes = passes

    def read_sentences(
        self, file_path: Union[str, PathLike, Mapping[str, Any]]
    ) -> Iterator[Sentence]:
        files = file_path if isinstance(file_path, Mapping) else {"new": file_path}
        path = str(files["new"])
        located = self._with_injected_parses(iter(read_sentences_to_learn(path).sentences), path)
        if (injected := self._injected_file()) is not None:
            located = injected.add_all(located, path)
        sentences = [sentence for sentence, _ in located]
        if self._hold_out:
            left_out = {id(sentence) for sentence in held_out(sentences)}
            sentences = [sentence for sentence in sentences if id(sentence) not in left_out]
        if "replay" in files:
            paths = files["replay"]
            paths = [paths] if isinstance(paths, (str, PathLike)) else paths
            others = [s for path in paths for s in read_sentences_to_learn(path).bare_sentences]
            number = min(REPLAYED * len(sentences), len(others))
            draw = random.Random(REPLAY_SEED)
            passes = (sentences + draw.sample(others, number) for _ in range(self._passes))
            sentences = list(itertools.chain.from_iterable(passes))
        for sentence in sentences:
            if not self._use_language_specific_pos and sentence.upos is not None:
                sentence = dataclasses.replace(sentence, pos=sentence.upos)
            yield sentence if self._parses_suffix else dataclasses.replace(sentence, parse=None)

    def _fields(self, sentence: Sentence, in_part: bool) -> Dict[str, Field]:
        fields = super()._fields(sentence, in_part)
        if self._factuality:
            values = torch.tensor([*map(_factuality, misc_values(sentence, FACTUALITY))])
            fields["factuality"] = TensorField(values, padding_value=math.nan)
        return fields

    def _read(self, file_path: Any) -> Iterator[Instance]:
        sentences = list(self.read_sentences(file_path))
        trees = self._parses_suffix is not None
        in_part = not self._learn_unmarked_verbs or any(is_partial(s, trees) for s in sentences)
        forms = forms_of(sentences)
        for instance in self._instances(sentences, in_part):
            cast(SentenceField, instance["metadata"]).multiword_forms = forms
            yield instance


def _factuality(value: Optional[str]) -> float:
    try:
        return math.nan if value is None else float(value)
    except ValueError:
        raise ConfigurationError(
            f"{FACTUALITY} in a CoNLL-U file: found '{value}'; expected a number from -1 to 1"
        ) from None


def read_sentences_to_learn(path: Union[str, PathLike]) -> AnnotatedFile:
    """As `read_annotated`, with trees. Unfit corrections and roles in wrong order are errors."""
    annotated = read_annotated(path, parses=True)
    for file, located in zip(annotated.files, annotated.sentences, strict=True):
        check_verbs(file, located)
        check_corrections(file, located.line_numbers[0], located.sentence)
    return annotated
