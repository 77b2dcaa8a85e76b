import inspect
import textwrap
from pathlib import Path
from typing import Iterable, Optional

import pytest
from spacy.lang.de.examples import sentences as german
from spacy.lang.en.examples import sentences as english
from spacy.lang.es.examples import sentences as spanish
from spacy.lang.ru.examples import sentences as russian

import lisa_allennlp
from lisa_allennlp.labelling.unknown_words import UnknownWords
from tests import ROOT

READS = "This model reads English; "


@pytest.fixture(scope="module", params=["english", "english-fast"])
def lisa(request: pytest.FixtureRequest) -> lisa_allennlp.Labeller:
    return lisa_allennlp.load(request.param)


def notice(lisa: lisa_allennlp.Labeller, texts: Iterable[str]) -> Optional[str]:
    words = UnknownWords(lisa.engine)
    for text in texts:
        for sentence in lisa.read_document(text).sentences:
            words.add(sentence.words)
    return words.notice


def test_most_words_of_other_languages_are_unknown(lisa: lisa_allennlp.Labeller) -> None:
    single = (
        "Sie hat ihm gestern das Auto verkauft.",
        "Der Hund schläft.",
        "Wir gehen heute ins Kino.",
    )
    for texts in (german, spanish, russian, *([text] for text in single)):
        assert (notice(lisa, texts) or "").startswith(READS), texts
    assert all(notice(lisa, [text]) for text in russian if text.islower() or len(text) > 30)
    assert notice(lisa, ["他昨天把车卖给了我。"]) == f"{READS}1 of 1 words are unknown to it."


@pytest.mark.parametrize(
    "text",
    [
        "Maria González, Yuki Tanaka, Olúfẹ́mi Adéyẹmí, Đặng Thị Mai, Zdeněk Švéd",
        "+49 30 1234567, 12.5 % / 2026-11-26, a.b@c.example, https://x.example/?q=1",
        inspect.getsource(textwrap),
        "He lives in 東京, not in Київ.",
        "Wow!!! :-) ❤️ u r gr8",
        "",
    ],
)
def test_odd_texts_are_english_all_the_same(lisa: lisa_allennlp.Labeller, text: str) -> None:
    assert notice(lisa, [text]) is None


def test_common_misspellings_are_known_to_a_model_that_has_learned_words() -> None:
    text = "i recieved teh mony yestrday and bougt a new car thnks"
    assert notice(lisa_allennlp.load("english-fast"), [text]) is None


def test_english_is_known(lisa: lisa_allennlp.Labeller) -> None:
    assert not [text for text in english if notice(lisa, [text])]
    docs = [path.read_text(encoding="utf-8") for path in Path(ROOT, "docs").glob("*.md")]
    assert not [text[:40] for text in docs if notice(lisa, [text])]
