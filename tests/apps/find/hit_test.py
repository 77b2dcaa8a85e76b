"""The places of an event's words in its sentence."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.apps.find import Hit

WORDS = st.lists(st.sampled_from(["a", "cat", "it.", "at"]), min_size=1, max_size=7)


@given(WORDS, WORDS, st.data(), st.booleans())
def test_places_are_those_of_the_words(
    before: list, words: list, data: Any, has_offsets: bool
) -> None:
    text, shift = " ".join(words), len(" ".join(before)) + 1
    starts = [len(" ".join(words[:n])) + (n > 0) for n in range(len(words))]
    index, other = (data.draw(st.integers(0, len(words) - 1)) for _ in range(2))
    start, end = starts[other], starts[other] + len(words[other])
    row = {"text": text, "predicate": words[index], "predicate_index": index}
    row.update({"ARG1": words[other], "ARG1_heads": [words[other]]})
    if has_offsets:
        row.update(text_start=shift, start_char=starts[index] + shift)
        row.update(ARG1_offsets=[start + shift, end + shift])
    predicate, filler = Hit(row).places
    assert text[predicate.start : predicate.end] == words[index]
    assert text[filler.start : filler.end] == words[other]
    assert predicate.start == starts[index]
    if has_offsets:
        assert filler.start == start
