"""The tokenizers of raw text as AllenNLP's `Tokenizer`."""

from typing import List

from allennlp.data.tokenizers import Token, Tokenizer

from lisa_allennlp.data.tokenizers.raw_text import RawTextTokenizer


@Tokenizer.register("blank_spacy")
class BlankSpacyTokenizer(Tokenizer):
    """
    A `RawTextTokenizer` for AllenNLP.

    Registered as a `Tokenizer` with name "blank_spacy".
    """

    def __init__(self, language: str = "en") -> None:
        self._tokenizer = RawTextTokenizer(language)

    def tokenize(self, text: str) -> List[Token]:
        offsets = self._tokenizer.offsets(text)
        return [Token(text[start:end], idx=start, idx_end=end) for start, end in offsets]
