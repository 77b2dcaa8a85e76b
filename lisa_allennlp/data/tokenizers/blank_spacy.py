"""spaCy's rule-based tokenizer, which needs no downloaded model."""

from typing import List, Tuple

import spacy
from allennlp.data.tokenizers import Token, Tokenizer


@Tokenizer.register("blank_spacy")
class BlankSpacyTokenizer(Tokenizer):
    """
    The tokenisation rules that ship with spaCy for a language, close to the treebanks' own:
    clitics and punctuation are split off. White space never makes a token.

    # Parameters

    language : `str`, optional (default = `"en"`)
        spaCy's code of the language.
    """

    def __init__(self, language: str = "en") -> None:
        self._spacy = spacy.blank(language)

    def tokenize(self, text: str) -> List[Token]:
        return [Token(text[i:j], idx=i, idx_end=j) for i, j in self.offsets(text)]

    def offsets(self, text: str) -> List[Tuple[int, int]]:
        """Where each token starts in the text and where it ends (exclusive)."""
        return [
            (token.idx, token.idx + len(token))
            for token in self._spacy.make_doc(text)
            if not token.is_space
        ]
