"""A dataset reader for dependency trees."""

from os import PathLike
from typing import Any, Dict, Iterator, Optional, Union

from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader, Field, Instance, Token, TokenIndexer
from allennlp.data.fields import SequenceLabelField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from lisa_allennlp.data.dataset_readers.corpus_files import corpus_files
from lisa_allennlp.data.fields import LabelsField, SentenceField
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu
from lisa_allennlp.data.sentence import Sentence


@DatasetReader.register("conllu_parses")
class ConlluParsesReader(DatasetReader):
    """
    Reads dependency trees from a CoNLL-U or CoNLL-X file, or from all `*.conllu` files of a folder
    and its subfolders.

    Registered as a `DatasetReader` with name "conllu_parses".

        >>> reader = ConlluParsesReader(use_language_specific_pos=True)
        >>> instance = next(iter(reader.read("fixtures/sample/dev.conllu")))
        >>> instance["pos_tags"].labels[:4]
        ['DT', 'NN', 'RB', 'VBD']
        >>> instance["head_indices"].labels[:4]
        [1, 3, 3, 3]

    # Parameters

    use_language_specific_pos : `bool`, optional (default = `False`)
        Read parts of speech from XPOS (CoNLL-X: POSTAG) if true, from UPOS (CPOSTAG) if false. A
        token without a value in that column takes the other one's.
    requires_parses : `bool`, optional (default = `True`)
        Raise an error for a sentence without a tree. Training and evaluation need trees;
        prediction does not.

    # Raises

    `CorpusFormatError`
        While reading, if a file is missing or malformed.
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
        self._use_language_specific_pos = use_language_specific_pos
        self.requires_parses = requires_parses

    def read_sentences(self, file_path: Union[str, PathLike]) -> Iterator[Sentence]:
        """
        # Parameters

        file_path : `Union[str, PathLike]`
            A file, or a folder.

        # Returns

        `Iterator[Sentence]`
            All sentences with parts of speech and parses, if there are any, read lazily.
        """
        for path in corpus_files(file_path, "*.conllu"):
            lines = read_lines(cached_path(path))
            located = parse_conllu(
                lines, path, self._use_language_specific_pos, self.requires_parses
            )
            yield from (sentence for sentence, _ in located)

    def _read(self, file_path: Union[str, PathLike]) -> Iterator[Instance]:
        for sentence in self.shard_iterable(self.read_sentences(file_path)):
            yield self.text_to_instance(sentence)

    def text_to_instance(self, sentence: Sentence) -> Instance:
        """
        # Parameters

        sentence : `Sentence`
            Its `pos` should be of the tag set that the reader uses. Without `pos`, each tag is `_`.

        # Returns

        `Instance`
            The fields `words`, `pos_tags` and `metadata` (with the `sentence`). A sentence with a
            parse also has `head_tags` and `head_indices` (0-based; a root is its own head).
        """
        words = TextField([Token(word) for word in sentence.words])
        pos = sentence.pos if sentence.pos is not None else ["_"] * len(sentence.words)
        fields: Dict[str, Field] = {
            "words": words,
            "pos_tags": SequenceLabelField(pos, words, label_namespace="pos"),
        }
        if sentence.parse is not None:
            fields["head_tags"] = LabelsField(sentence.parse.head_tags, words, "head_tags")
            fields["head_indices"] = LabelsField(sentence.parse.head_indices, words)
        fields["metadata"] = SentenceField(sentence)
        return Instance(fields)

    def apply_token_indexers(self, instance: Instance) -> None:
        instance["words"].token_indexers = self._token_indexers  # type: ignore[attr-defined]
