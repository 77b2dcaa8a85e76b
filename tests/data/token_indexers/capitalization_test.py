import pytest

from lisa_allennlp.data.token_indexers.capitalization import CapitalizationIndexer, capitalization


@pytest.mark.parametrize(
    "word, expected",
    [
        ("cat", "lower"),
        ("The", "initial"),
        ("IBM", "upper"),
        ("iPod", "mixed"),
        ("1987", "none"),
        ("日本", "none"),
        ("Élan", "initial"),
        ("4th", "lower"),
    ],
)
def test_capitalization(word, expected):
    assert capitalization(word) == expected


def test_padding():
    indexer = CapitalizationIndexer()
    padded = indexer.as_padded_tensor_dict({"tokens": [2]}, {"tokens": 3})
    assert padded["tokens"].tolist() == [2, 0, 0]
