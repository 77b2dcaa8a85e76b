"""A dataset reader for dependency trees."""

import os
from os import PathLike
from typing import Any, Dict, Iterator, Optional, Union

from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader, Field, Instance, Token, TokenIndexer
from allennlp.data.fields import TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.fields import InputTagsField, LabelsField, SentenceField
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.corpus_files import PosFile, corpus_files, file_beside
from lisa_allennlp.formats.treebanks import parse_treebank
from lisa_allennlp.sentence.sentence import Sentence

POS_NAMESPACE = "pos"


@DatasetReader.register("conllu_parses")
class ConlluParsesReader(DatasetReader):
    """
    Reads dependency trees from a file in CoNLL-U, CoNLL-X, CoNLL-2009 or `.combined.bio` format,
    or from all `*.conllu` files of a folder and its subfolders.

    # Parameters

    use_language_specific_pos : `bool`, optional (default = `False`)
        Read parts of speech from XPOS (CoNLL-X: POSTAG) if true, from UPOS (CPOSTAG) if false. A
        token without a value takes that of the other column. Other formats have one tag set.
    use_predicted_pos : `bool`, optional (default = `False`)
        Read the predicted parts of speech of CoNLL-2009 (PPOS) or `.combined.bio` (automatic POS)
        instead of the gold ones. CoNLL-U has none; see `pos_suffix`.
    requires_parses : `bool`, optional (default = `True`)
        Raise an error for a sentence without a tree. Training and evaluation need trees;
        prediction does not.
    pos_suffix : `Optional[str]`, optional (default = `None`)
        The suffix of a CoNLL-U file with predicted parts of speech, which replace the file's own:
        with `.lisa.conllu`, they are in `dev.lisa.conllu` beside `dev.conllu`, or beside the folder
        `dev`. It has the sentences and words of the corpus; trees in it are ignored.
    pos_folder : `Optional[str]`, optional (default = `None`)
        The folder of these files, if they are not beside the corpus.
    """

    def __init__(
        self,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        use_language_specific_pos: bool = False,
        requires_parses: bool = True,
        use_predicted_pos: bool = False,
        pos_suffix: Optional[str] = None,
        pos_folder: Optional[str] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs
        )
        if use_predicted_pos and pos_suffix is not None:
            raise ConfigurationError(
                f"found use_predicted_pos and pos_suffix '{pos_suffix}'; expected only one of them"
            )
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        self._use_language_specific_pos = use_language_specific_pos
        self.requires_parses = requires_parses
        self._use_predicted_pos = use_predicted_pos
        self._pos_suffix = pos_suffix
        self._pos_folder = pos_folder

    def read_sentences(self, file_path: Union[str, PathLike]) -> Iterator[Sentence]:
        paths = list(corpus_files(file_path, "*.conllu"))
        pos_file = self._pos_file(file_path)
        for path in paths:
            located = parse_treebank(
                read_lines(cached_path(path)),
                path,
                self._use_language_specific_pos,
                self._use_predicted_pos,
                self.requires_parses,
            )
            if pos_file is not None:
                located = pos_file.add_to(located, path)
            yield from (sentence for sentence, _ in located)
        if pos_file is not None:
            pos_file.check_end(file_path)

    def _pos_file(self, file_path: Union[str, PathLike]) -> Optional[PosFile]:
        if self._pos_suffix is None:
            return None
        path = os.fspath(file_path)
        if os.path.isdir(path):
            path = os.path.normpath(path) + self._pos_suffix
        else:
            path = file_beside(path, (".conllu", ".combined.bio"), self._pos_suffix)
        if self._pos_folder is not None:
            path = os.path.join(self._pos_folder, os.path.basename(path))
        expected = (
            f"the parts of speech of {file_path} (the reader's option `pos_suffix` sets the suffix "
            "of their file; null reads those of the corpus)"
        )
        return PosFile(path, expected, self._use_language_specific_pos)

    def _read(self, file_path: Union[str, PathLike]) -> Iterator[Instance]:
        for sentence in self.shard_iterable(self.read_sentences(file_path)):
            yield self.text_to_instance(sentence)

    def text_to_instance(self, sentence: Sentence) -> Instance:
        """
        Creates the fields `words`, `pos_tags` (`_` if unknown) and `metadata` (with the
        `sentence`). A sentence with a parse also has `head_tags` and `head_indices` (0-based; a
        root is its own head).
        """
        words = TextField([Token(word) for word in sentence.words])
        pos = sentence.pos if sentence.pos is not None else ["_"] * len(sentence.words)
        fields: Dict[str, Field] = {
            "words": words,
            "pos_tags": InputTagsField(pos, words, label_namespace=POS_NAMESPACE),
        }
        if sentence.parse is not None:
            fields["head_tags"] = LabelsField(sentence.parse.head_tags, words, "head_tags")
            fields["head_indices"] = LabelsField(sentence.parse.head_indices, words)
        fields["metadata"] = SentenceField(sentence)
        return Instance(fields)

    def apply_token_indexers(self, instance: Instance) -> None:
        instance["words"].token_indexers = self._token_indexers  # type: ignore[attr-defined]
