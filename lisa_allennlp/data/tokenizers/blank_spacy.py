"""The tokenizers of raw text as AllenNLP's `Tokenizer`."""

from typing import List

from allennlp.data.tokenizers import Token, Tokenizer

from lisa_allennlp.data.tokenizers.raw_text import RawTextTokenizer, words_at


@Tokenizer.register("blank_spacy")
class BlankSpacyTokenizer(Tokenizer):
    """A `RawTextTokenizer` for AllenNLP."""

    def __init__(self, language: str = "en") -> None:
        self._tokenizer = RawTextTokenizer(language)

    def tokenize(self, text: str) -> List[Token]:
        offsets = self._tokenizer.offsets(text)
        words = words_at(text, offsets)
        return [Token(w, idx=a, idx_end=b) for w, (a, b) in zip(words, offsets, strict=True)]
