import pytest

from lisa_allennlp.data.tokenizers import spacy_rules
from lisa_allennlp.data.tokenizers.spacy_rules import SpacyTokenizer


def test_a_large_vocabulary_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = SpacyTokenizer("de")
    before = [tokenizer.offsets("Er sang."), len(tokenizer._tokenizer.vocab)]
    tokenizer.offsets(" ".join(f"word{n}" for n in range(1000)))
    assert len(tokenizer._tokenizer.vocab) > before[1] + 900
    monkeypatch.setattr(spacy_rules, "LARGEST_VOCABULARY", before[1] + 900)
    assert tokenizer.offsets("Er sang.") == before[0]
    assert len(tokenizer._tokenizer.vocab) < before[1] + 900
