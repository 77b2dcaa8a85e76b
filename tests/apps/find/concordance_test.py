"""Hits in lines that fit the terminal."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from lisa_allennlp.apps.find import Hit
from lisa_allennlp.apps.find.concordance import concordance

TEXTS = st.text(st.sampled_from("ab \n漢\x1b字é\u202e"), max_size=90)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=3), st.integers(40, 120))
def test_predicates_stand_in_one_column(parts: list, width: int) -> None:
    hits = [
        Hit(
            {
                **{"document": name, "sentence": "1", "text": f"{left}RUN{right}"},
                **{
                    "predicate": "RUN",
                    "predicate_index": 0,
                    "text_start": 0,
                    "start_char": len(left),
                },
            }
        )
        for name, left, right in parts
    ]
    lines = [line.plain for line in concordance(hits, width)]
    assert len({cell_len(line.partition("RUN")[0]) for line in lines}) == 1
    for line, (_, left, right) in zip(lines, parts, strict=True):
        assert cell_len(line) <= width and line.isprintable()
        assert "…" in line or line.count("a") >= left.count("a") + right.count("a")
