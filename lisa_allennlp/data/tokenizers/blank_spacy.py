"""spaCy's rule-based tokenizer."""

from typing import List, Tuple

import spacy
from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Token, Tokenizer


@Tokenizer.register("blank_spacy")
class BlankSpacyTokenizer(Tokenizer):
    """
    Tokenizes with spaCy's rules for a language, which need no trained model. As in treebanks,
    clitics and punctuation become tokens. White space never does.

    Registered as a `Tokenizer` with name "blank_spacy".

        >>> tokenizer = BlankSpacyTokenizer()
        >>> tokenizer.tokenize("She didn't sing.")
        [She, did, n't, sing, .]

    # Parameters

    language : `str`, optional (default = `"en"`)
        spaCy's language code.

    # Raises

    `ConfigurationError`
        If spaCy has no such language, or a package that it needs is missing.
    """

    def __init__(self, language: str = "en") -> None:
        try:
            self._spacy = spacy.blank(language)
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            raise ConfigurationError(
                f"language is {language!r}; expected one of spaCy's language codes, such as 'en', "
                f"with its packages installed ({' '.join(str(error).split())})"
            ) from error

    def tokenize(self, text: str) -> List[Token]:
        return [Token(text[i:j], idx=i, idx_end=j) for i, j in self.offsets(text)]

    def offsets(self, text: str) -> List[Tuple[int, int]]:
        """The start and the end (exclusive) of each token in the text, in characters."""
        return [
            (token.idx, token.idx + len(token))
            for token in self._spacy.make_doc(text)
            if not token.is_space
        ]
