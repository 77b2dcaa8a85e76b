"""Dependency trees for training and evaluating parsers."""

from os import PathLike
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

import torch
from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader, Field, Instance, Token, TokenIndexer
from allennlp.data.fields import MetadataField, SequenceLabelField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from lisa_allennlp.data.dataset_readers.corpus_files import corpus_files
from lisa_allennlp.data.fields import LabelsField
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu
from lisa_allennlp.data.sentence import Parse, Sentence


@DatasetReader.register("conllu_parses")
class ConlluParsesReader(DatasetReader):
    """
    Reads dependency trees from a CoNLL-U or CoNLL-X file, or from the `*.conllu` files of a
    folder, for allennlp-models' `biaffine_parser`. It differs from that package's
    `universal_dependencies` reader in that malformed files end in errors that name the line, and
    in that several processes can share the work.

    # Parameters

    token_indexers : `Dict[str, TokenIndexer]`, optional
        (default = `{"tokens": SingleIdTokenIndexer()}`)
    use_language_specific_pos : `bool`, optional (default = `False`)
        Take parts of speech from XPOS (CoNLL-X: POSTAG), otherwise from UPOS (CPOSTAG). A token
        that has only one of them has that.
    requires_parses : `bool`, optional (default = `True`)
        Refuse sentences without a tree. Without one, a sentence can be parsed, not learned from.

    # Raises

    `CorpusFormatError`
        In reading, if a file is missing or malformed.
    """

    def __init__(
        self,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        use_language_specific_pos: bool = False,
        requires_parses: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs
        )
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        # allennlp-models' predictor reads this attribute.
        self.use_language_specific_pos = use_language_specific_pos
        self.requires_parses = requires_parses

    def read_sentences(self, file_path: Union[str, PathLike]) -> Iterator[Sentence]:
        """
        # Parameters

        file_path : `Union[str, PathLike]`
            A file, or a folder.

        # Returns

        `Iterator[Sentence]`
            All sentences with their parts of speech and, where they have one, their parse, lazily.
        """
        for path in corpus_files(file_path, "*.conllu"):
            lines = read_lines(cached_path(path))
            located = parse_conllu(
                lines, path, self.use_language_specific_pos, self.requires_parses
            )
            yield from (sentence for sentence, _ in located)

    def _read(self, file_path: Union[str, PathLike]) -> Iterator[Instance]:
        for sentence in self.shard_iterable(self.read_sentences(file_path)):
            yield self.text_to_instance(*_columns(sentence))

    def text_to_instance(
        self,
        words: List[str],
        upos_tags: List[str],
        dependencies: Optional[List[Tuple[str, int]]] = None,
    ) -> Instance:
        """
        The signature is that of `universal_dependencies`, which allennlp-models' predictor calls.

        # Parameters

        words : `List[str]`
        upos_tags : `List[str]`
            Parts of speech, of whichever tag set the reader is set to.
        dependencies : `List[Tuple[str, int]]`, optional
            The label of each token's arc and its head: 1-based, 0 for a root.

        # Returns

        `Instance`
            The fields `words`, `pos_tags`, `metadata` (with `words`, `pos` and the `sentence`)
            and, if given, `head_tags` and `head_indices`.
        """
        tokens = TextField([Token(word) for word in words])
        fields: Dict[str, Field] = {
            "words": tokens,
            "pos_tags": SequenceLabelField(upos_tags, tokens, label_namespace="pos"),
        }
        parse = None
        if dependencies is not None:
            head_tags = [head_tag for head_tag, _ in dependencies]
            heads = [head for _, head in dependencies]
            fields["head_tags"] = _HeadTagsField(head_tags, tokens, "head_tags")
            fields["head_indices"] = SequenceLabelField(heads, tokens, "head_index_tags")
            parse = Parse([t if h == 0 else h - 1 for t, h in enumerate(heads)], head_tags)
        sentence = Sentence(words, upos_tags, parse=parse)
        metadata = {"words": words, "pos": upos_tags, "sentence": sentence}
        fields["metadata"] = MetadataField(metadata)
        return Instance(fields)

    def apply_token_indexers(self, instance: Instance) -> None:
        instance["words"].token_indexers = self._token_indexers  # type: ignore[attr-defined]


class _HeadTagsField(LabelsField):
    """A `LabelsField` padded with 0: allennlp-models' parser looks up the labels of padding too."""

    def as_tensor(self, padding_lengths: Dict[str, int]) -> torch.Tensor:
        numbers = super().as_tensor(padding_lengths)
        numbers[len(self.labels) :] = 0
        return numbers


def _columns(
    sentence: Sentence,
) -> Tuple[List[str], List[str], Optional[List[Tuple[str, int]]]]:
    pos = sentence.pos if sentence.pos is not None else ["_"] * len(sentence.words)
    if sentence.parse is None:
        return sentence.words, pos, None
    heads = sentence.parse.heads
    return sentence.words, pos, list(zip(sentence.parse.head_tags, heads, strict=True))
