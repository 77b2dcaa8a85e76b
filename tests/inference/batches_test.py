from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.inference.batches import batches_of_similar_length


@given(st.lists(st.integers(1, 12)), st.integers(1, 30))
def test_batches(lengths, max_tokens):
    batches = batches_of_similar_length(lengths, max_tokens)
    assert sorted(position for batch in batches for position in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[position] for position in batch)
        assert len(batch) == 1 or len(batch) * longest <= max_tokens
    # No two neighbours would have gone together.
    for batch, following in zip(batches, batches[1:], strict=False):
        assert (len(batch) + 1) * lengths[following[0]] > max_tokens
