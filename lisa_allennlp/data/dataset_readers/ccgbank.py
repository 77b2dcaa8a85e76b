"""A dataset reader for sentences with supertags."""

import logging
import re
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader, Field, Instance, Token, TokenIndexer
from allennlp.data.fields import TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.fields import LabelsField, SentenceField, SupertagsField
from lisa_allennlp.data.token_indexers.word_forms import normalize_word
from lisa_allennlp.formats.ccg import (
    parse_auto,
    parse_columns,
    parse_dependency_supertags,
    parse_pipes,
)
from lisa_allennlp.formats.columns import PathName, read_lines
from lisa_allennlp.formats.corpus_files import corpus_files
from lisa_allennlp.sentence.sentence import Sentence

logger = logging.getLogger(__name__)

_PATH_WITH_SECTIONS = re.compile(r"(.+)#([0-9]{2}(?:-[0-9]{2})?(?:,[0-9]{2}(?:-[0-9]{2})?)*)")


FORMATS: Dict[str, Tuple[str, Callable[[Iterable[str], PathName], Iterator[Sentence]]]] = {
    "auto": ("*.auto", parse_auto),
    "pipes": ("*.pipe", parse_pipes),
    "columns": ("*.tsv", parse_columns),
    "dependencies": ("*.conllu", parse_dependency_supertags),
}
"""The names of files, and their parsers."""


# A reader of allennlp-models has the name `ccgbank`. AllenNLP imports that package, if it is
# installed, whenever it loads a predictor.
@DatasetReader.register("ccgbank_supertags")
class CcgbankReader(DatasetReader):
    """
    Reads sentences with supertags from a file or a folder. If each section of the Penn Treebank has
    a folder, as in the LDC's CCGbank (`AUTO/00/wsj_0001.auto`), `#` selects sections: `AUTO#02-21`,
    `AUTO#00`, `AUTO#00,23`.

    # Parameters

    corpus_format : `str`, optional (default = `"auto"`)
        `auto` for CCGbank's derivations, `pipes` for the C&C tools' `word|POS|category`, `columns`
        for one token per line, `dependencies` for CoNLL-U trees, from which supertags are derived.
        `lisa_allennlp.formats.ccg` describes the formats.
    """

    def __init__(
        self,
        token_indexers: Optional[Dict[str, TokenIndexer]] = None,
        corpus_format: str = "auto",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            manual_distributed_sharding=True, manual_multiprocess_sharding=True, **kwargs
        )
        if corpus_format not in FORMATS:
            raise ConfigurationError(
                f"corpus_format: found '{corpus_format}'; expected one of {', '.join(FORMATS)}"
            )
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        self._pattern, self._parse = FORMATS[corpus_format]

    def read_sentences(self, file_path: Union[str, PathLike]) -> Iterator[Sentence]:
        for path in _files(str(file_path), self._pattern):
            logger.info("Reading sentences from %s", path)
            yield from self._parse(read_lines(cached_path(path)), path)

    def _read(self, file_path: Union[str, PathLike]) -> Iterator[Instance]:
        for sentence in self.shard_iterable(self.read_sentences(file_path)):
            yield self.text_to_instance(sentence)

    def text_to_instance(self, sentence: Sentence) -> Instance:
        """
        Creates the fields `tokens` and `metadata` (with the `sentence`). A sentence with supertags
        also has `supertags` and two fields for evaluation: `training_words` is -100 for words that
        are not in the training data, `frequent_supertags` for supertags that are rare in it.
        """
        tokens = TextField([Token(word) for word in sentence.words])
        fields: Dict[str, Field] = {"tokens": tokens}
        if sentence.supertags is not None:
            words = [normalize_word(word) for word in sentence.words]
            fields["supertags"] = SupertagsField(sentence.supertags, tokens, "supertag_labels")
            fields["training_words"] = LabelsField(words, tokens, "training_word_labels")
            fields["frequent_supertags"] = LabelsField(
                sentence.supertags, tokens, "frequent_supertag_labels"
            )
        fields["metadata"] = SentenceField(sentence)
        return Instance(fields)

    def apply_token_indexers(self, instance: Instance) -> None:
        instance["tokens"].token_indexers = self._token_indexers  # type: ignore[attr-defined]


def _files(path: str, pattern: str) -> List[str]:
    match = _PATH_WITH_SECTIONS.fullmatch(path)
    if match is None:
        return list(corpus_files(path, pattern))
    folder, wanted = match.group(1), _sections(path, match.group(2))
    files = [file for file in corpus_files(folder, pattern) if Path(file).parent.name in wanted]
    missing = sorted(set(wanted) - {Path(file).parent.name for file in files})
    if missing:
        expected = f"folders with these names and {pattern} files"
        raise CorpusFormatError(folder, None, f"no section {', '.join(missing)}", expected)
    return files


def _sections(path: str, text: str) -> Tuple[str, ...]:
    sections: List[str] = []
    for item in text.split(","):
        first, _, last = item.partition("-")
        numbers = range(int(first), int(last or first) + 1)
        if not numbers:
            raise CorpusFormatError(
                path, None, f"the sections '{item}'", "the lower number first, such as 02-21"
            )
        sections.extend(f"{number:02}" for number in numbers)
    return tuple(sections)
