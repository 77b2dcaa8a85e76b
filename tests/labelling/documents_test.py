"""Documents are labelled as their sentences are, in any grouping."""

from pathlib import Path
from typing import Any, Dict, List

import pytest

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.document import Document
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import MAX_WORDS, MOST_CHARACTERS, MOST_WORDS

TEXTS = [
    "She left. He stayed.\n\nThe end",
    "",
    "The dog that she saw chased him, didn't it? 😀",
    " \n ",
    "One. Two! Three? Four.",
]


@pytest.fixture(scope="module")
def lisa(archives: Dict[str, Path]) -> Labeller:
    return lisa_allennlp.load(archives["lisa"], engine="torch")


def comparable(document: Any) -> Any:
    """Without what rounding changes from batch to batch."""
    described = document.to_dict()
    for sentence in described["sentences"]:
        sentence.pop("predicate_probabilities")
    return described


def test_a_document(lisa: Labeller) -> None:
    text = TEXTS[0]
    document = lisa.document(text)
    assert [sentence.words for sentence in document.sentences] == [
        ["She", "left", "."],
        ["He", "stayed", "."],
        ["The", "end"],
    ]
    for sentence in document.sentences:
        alone = lisa(sentence.words)
        assert (sentence.heads, sentence.pos) == (alone.heads, alone.pos)
        assert [f.tags for f in sentence.frames] == [f.tags for f in alone.frames]
        for token in sentence.tokens:
            assert text[token.start_char : token.end_char] == token.text
        for span in (span for frame in sentence.frames for span in frame.roles):
            assert text[span.start_char : span.end_char] == span.text
    assert lisa.document({"text": "", "id": 7}) == Document("", [], {"id": 7})


@pytest.mark.medium
@pytest.mark.parametrize("batch_size, processes", [(1, 1), (3, 1), (1000, 1), (1, 2)])
def test_a_stream(lisa: Labeller, batch_size: int, processes: int) -> None:
    inputs = [*TEXTS, {"text": TEXTS[0], "id": 7}]
    found = lisa.documents(iter(inputs), batch_size=batch_size, processes=processes)
    assert [comparable(document) for document in found] == [
        comparable(lisa.document(text)) for text in inputs
    ]


@pytest.mark.parametrize(
    "content, message",
    [
        (7, "the document: found 7; expected raw text, or an object with `text`"),
        ({"text": 7}, "`text`: found 7; expected a string"),
        ({"text": "a", "sentences": []}, "`sentences`: found a key that the output uses"),
        ({"text": "a", "predicates": [0]}, "expected `sentence` or `tokens` with it instead"),
        ("a" * (MOST_CHARACTERS + 1), "found a document of more than 5,000,000 characters"),
    ],
)
def test_bad_documents(lisa: Labeller, content: Any, message: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        lisa.document(content)
    assert message in raised.value.message
    first, error, last = lisa.documents(["Go.", content, "Go."], on_error="yield")
    assert isinstance(error, InputError) and error.place == "input 2"
    assert [document.sentences[0].words for document in (first, last)] == [["Go", "."]] * 2
    found = lisa.documents(["Go.", content])
    assert next(found).text == "Go."
    with pytest.raises(InputError, match="input 2: "):
        next(found)


def test_sentences_and_documents_have_their_own_calls(lisa: Labeller) -> None:
    with pytest.raises(ConfigurationError, match="the labeller's `document` labels a `text`"):
        lisa({"text": "Go."})
    with pytest.raises(ConfigurationError, match="expected several inputs"):
        next(lisa.documents("Go."))
    # As before there were documents, `text` is an ordinary key beside `sentence`.
    assert lisa({"sentence": "Go", "text": "x"}).extra == {"text": "x"}


def test_long_sentences(lisa: Labeller) -> None:
    document = lisa.document("word " * (2 * MAX_WORDS + 1))
    assert [len(sentence.words) for sentence in document.sentences] == [MAX_WORDS, MAX_WORDS, 1]
    with pytest.raises(
        ConfigurationError, match="found a sentence of 2001 words; expected at most"
    ):
        lisa(["word"] * (MOST_WORDS + 1))


def test_groups_hold_about_as_many_sentences(lisa: Labeller) -> None:
    sizes: List[int] = []
    texts = ["Go on. " * 200] * 6

    class Counting:
        def __iter__(self) -> Any:
            for number, text in enumerate(texts, start=1):
                sizes.append(number)
                yield text

    next(lisa.documents(Counting(), batch_size=3))
    # A document of 1,400 characters counts as three sentences.
    assert sizes == [1]
    sizes.clear()
    next(lisa.documents(Counting(), batch_size=7))
    assert sizes == [1, 2, 3]
