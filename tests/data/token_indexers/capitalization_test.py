import pytest
from allennlp.data import Token, Vocabulary

from lisa_allennlp.data.token_indexers.capitalization import CapitalizationIndexer, capitalization


@pytest.mark.parametrize(
    "word, expected",
    [
        ("cat", "lower"),
        ("The", "initial"),
        ("I", "initial"),
        ("I'm", "initial"),
        ("IBM", "upper"),
        ("U.S.", "upper"),
        ("iPod", "mixed"),
        ("McNally", "mixed"),
        ("1987", "none"),
        (",", "none"),
        ("", "none"),
        ("日本", "none"),
        ("Élan", "initial"),
        ("4th", "lower"),
    ],
)
def test_capitalization(word, expected):
    assert capitalization(word) == expected


def test_numbers():
    tokens = [Token(word) for word in ("cat", "The", "IBM", "iPod", "9")]
    indexed = CapitalizationIndexer().tokens_to_indices(tokens, Vocabulary())
    assert indexed == {"tokens": [1, 2, 3, 4, 5]}


def test_padding():
    indexer = CapitalizationIndexer()
    padded = indexer.as_padded_tensor_dict({"tokens": [2]}, {"tokens": 3})
    assert padded["tokens"].tolist() == [2, 0, 0]
