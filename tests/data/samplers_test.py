from allennlp.data import Token, Vocabulary
from allennlp.data.fields import TextField
from allennlp.data.instance import Instance
from allennlp.data.token_indexers import PretrainedTransformerMismatchedIndexer
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.samplers import MaxPiecesBatchSampler


class _Letters(PretrainedTransformerMismatchedIndexer):
    """Has a piece for each letter of a word."""

    def __init__(self):
        """Loads no tokenizer."""

    def tokens_to_indices(self, tokens, vocabulary):
        letters = [ord(letter) for token in tokens for letter in token.text]
        return {"token_ids": letters, "mask": [True] * len(tokens)}

    def get_empty_token_list(self):
        return {"token_ids": [], "mask": []}

    def get_padding_lengths(self, indexed):
        return {key: len(values) for key, values in indexed.items()}


@settings(deadline=None, max_examples=30)
@given(st.lists(st.lists(st.integers(1, 30), min_size=1, max_size=5), min_size=1, max_size=30))
def test_no_batch_has_more_pieces_than_it_may_have(sentences):
    def instance(lengths):
        words = [Token("x" * length) for length in lengths]
        return Instance({"tokens": TextField(words, {"letters": _Letters()})})

    instances = [instance(lengths) for lengths in sentences]
    for each in instances:
        each.index_fields(Vocabulary())
    sampler = MaxPiecesBatchSampler(150, ["tokens"], padding_noise=0.3)
    batches = [[*batch] for batch in sampler.get_batch_indices(instances)]
    assert sorted(n for batch in batches for n in batch) == [*range(len(instances))]
    for batch in batches:
        assert len(batch) * max(sum(sentences[n]) for n in batch) <= 150
