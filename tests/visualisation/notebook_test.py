from types import SimpleNamespace
from typing import Any, Callable, Dict

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.notebook import register


def test_sentences_and_documents_have_pictures() -> None:
    found: Dict[type, Callable[[Any], str]] = {}
    html = SimpleNamespace(for_type=found.__setitem__)
    register(SimpleNamespace(display_formatter=SimpleNamespace(formatters={"text/html": html})))
    sentence = Sentence(["<b>"], pos=["X"])
    picture = found[Sentence](sentence)
    assert "<svg" in picture and ">&lt;b&gt;</text>" in picture and ">X</text>" in picture
    assert found[Document](Document("", [sentence, sentence])) == picture * 2
    register(None)
