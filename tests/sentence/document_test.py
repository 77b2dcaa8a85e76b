import json

from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.sentence import Frame, Sentence

TEXT = "Title\n\nShe sang. He\tleft.\nThe end"


def sentence(start: int, *words: str, text: str = TEXT) -> Sentence:
    offsets = []
    for word in words:
        start = text.index(word, start)
        offsets.append((start, start + len(word)))
        start += len(word)
    frames = [Frame(1, ["B-ARG0", "B-V", "O"])] if len(words) == 3 else []
    return Sentence(list(words), frames=frames, offsets=offsets, text=text)


DOCUMENT = Document(
    TEXT,
    [
        sentence(0, "Title"),
        sentence(5, "She", "sang", "."),
        sentence(15, "He", "left", "."),
        sentence(22, "The", "end"),
    ],
    {"id": 7},
)


def test_offsets_refer_to_the_document() -> None:
    tokens = [token for sentence in DOCUMENT.sentences for token in sentence.tokens]
    assert all(TEXT[token.start_char : token.end_char] == token.text for token in tokens)
    second = DOCUMENT.sentences[1].frames[0]
    assert [(span.role, span.text, span.start_char) for span in second.roles] == [
        ("ARG0", "She", 7),
        ("V", "sang", 11),
    ]
    texts = [DOCUMENT.text_of(sentence) for sentence in DOCUMENT.sentences]
    assert texts == ["Title", "She sang.", "He\tleft.", "The end"]


def test_paragraphs() -> None:
    assert DOCUMENT.paragraph_starts() == [0, 1, 3]
    assert Document("", []).paragraph_starts() == []


def test_json_round_trip() -> None:
    described = json.loads(json.dumps(DOCUMENT.to_dict()))
    assert list(described) == ["id", "text", "sentences"]
    again = Document.from_dict(described)
    assert again == DOCUMENT
    assert again.sentences[1].frames[0].roles == DOCUMENT.sentences[1].frames[0].roles
