"""
Conversion of constituent trees to Stanford dependencies by the converter of the Stanford parser. It
needs Java and `stanford-parser.jar`.

    >>> converter = StanfordConverter("stanford-parser.jar", "converted")  # doctest: +SKIP
    >>> [(item, parse)] = converter.annotate([(sentence, "any object")])  # doctest: +SKIP
    >>> parse.head_tags  # doctest: +SKIP
    ['nsubj', 'root']

    >>> StanfordConverter("no.jar", "converted")
    Traceback (most recent call last):
    ...
    lisa_allennlp.common.errors.ConfigurationError: --stanford-parser no.jar: found no such ...
"""

import re
from pathlib import Path
from typing import Any, ClassVar, Iterator, List, Sequence, Tuple, Union

from lisa_allennlp.data.formats.columns import LocatedSentence, read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu
from lisa_allennlp.data.preparation.stanford_tool import BracketedSentence, StanfordTool, jars_of
from lisa_allennlp.data.sentence import Parse, Sentence

# Release 3.5.2 needs -originalDependencies, without which it writes Universal Dependencies; earlier
# ones ignore it.
_OPTIONS = ("-basic", "-keepPunct", "-originalDependencies", "-conllx")
_COPULA_HEADS = "-makeCopulaHead"
_EXPECTED = (
    "stanford-parser.jar of Stanford parser 3.5 (https://nlp.stanford.edu/software/lex-parser.html)"
)

# The converter treats these as disfluencies and traces and deletes their words.
_DELETED = "RS|RM|IP|CODE|-NONE-"
_DELETED_LABEL = re.compile(rf"\((?:{_DELETED})(?=[-=|#( )]|$)")


class StanfordConverter(StanfordTool[Parse]):
    """
    Converts trees of constituents to dependencies.

    # Parameters

    jar : `Union[str, Path]`
        `stanford-parser.jar` (or the jar of CoreNLP), or the folder that contains it.
    cache, **options :
        As in `StanfordTool`.
    copula_heads : `bool`, optional (default = `True`)
        Whether a copula is the head of its clause, as in the trees of LISA's authors. In the trees
        of Dozat & Manning (2017) the predicate is: "nice" in "She is nice".

    # Raises

    `ConfigurationError`
        If the program or the jar is missing.
    """

    main_class = "edu.stanford.nlp.trees.EnglishGrammaticalStructure"
    suffixes: ClassVar[Tuple[str, str]] = (".mrg", ".conllx")

    def __init__(
        self,
        jar: Union[str, Path],
        cache: Union[str, Path],
        copula_heads: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(jars_of(Path(jar), "--stanford-parser", _EXPECTED), cache, **options)
        self._options = [*_OPTIONS, _COPULA_HEADS] if copula_heads else list(_OPTIONS)

    @property
    def fingerprint(self) -> str:
        return " ".join([super().fingerprint, *self._options])

    def text(self, batch: Sequence[BracketedSentence]) -> str:
        return "".join(_DELETED_LABEL.sub("(X", item.tree) + "\n" for item in batch)

    def arguments(self, source: Path) -> List[str]:
        return ["-treeFile", str(source), *self._options]

    def read(self, path: Path) -> Iterator[LocatedSentence]:
        return parse_conllu(read_lines(path), path)

    def annotation(self, sentence: Sentence) -> Parse:
        assert sentence.parse is not None
        return sentence.parse
