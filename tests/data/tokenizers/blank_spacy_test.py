from allennlp.data.tokenizers import Tokenizer

import lisa_allennlp.data.tokenizers.blank_spacy  # noqa: F401


def test_tokens_know_their_place() -> None:
    tokenizer = Tokenizer.by_name("blank_spacy")(language="en")
    text = "She  didn't sing."
    tokens = tokenizer.tokenize(text)
    assert [token.text for token in tokens] == ["She", "did", "n't", "sing", "."]
    assert all(text[token.idx : token.idx_end] == token.text for token in tokens)
