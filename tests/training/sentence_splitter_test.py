import json

import numpy
import pytest
import torch

from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text import sentence_splitter
from lisa_allennlp.text.raw_text import RawTextTokenizer
from lisa_allennlp.training import sentence_splitter as training
from lisa_allennlp.training.sentence_splitter import Network, train_on_treebank


def test_the_network_for_training_and_the_other_have_the_same_scores() -> None:
    torch.manual_seed(0)
    sizes = (20, 10, 3)
    network = Network(sizes).eval()
    exported = network.to_json()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_((100 * parameter).round() / 100)
    read = sentence_splitter.Network.from_json({"words": [], "shapes": [], **exported})
    for length in (1, 2, 30):
        rows = numpy.random.default_rng(length).integers(0, sizes, (length, 3)).T
        with torch.no_grad():
            # Beyond the ends of a text is what training has between documents.
            gap = torch.tensor([[0], [0], [-1]]).expand(3, 9)
            expected = network(torch.cat([gap, torch.tensor(rows), gap], dim=1))[9:-9]
        numpy.testing.assert_allclose(read.scores(*rows.tolist()), expected, atol=1e-5)


def test_a_training_starts_from_another_network() -> None:
    english = sentence_splitter.english_network()
    # In another order, with an entry that English lacks.
    tables = {
        name: ["नमस्ते", *reversed(known)]
        for name, known in (("words", english.words), ("shapes", english.shapes))
    }
    network = Network([*(len(table) + 1 for table in tables.values()), 3])
    network.start_from(english, tables)
    found = sentence_splitter.Network.from_json({**tables, **network.to_json()})
    assert found.words != english.words
    for word in ("The", "said", ".", "नमस्ते"):
        theirs = [sentence_splitter.rows(word, n.words, n.shapes) for n in (english, found)]
        expected, scores = (
            n.scores(*(column * 3 for column in zip(own, strict=True)), [2, 1, 0])
            for n, own in zip((english, found), theirs, strict=True)
        )
        numpy.testing.assert_array_equal(scores, expected)


SCRIPTS = {
    "hi": ["यह घर है ।", "वह किताब पढ़ता है ।", "वे कल आए थे ।"],
    "zh": ["他买了一本书。", "你去哪里？", "我们明天见。"],
}


@pytest.mark.parametrize("language", SCRIPTS)
def test_the_ends_of_sentences_of_other_scripts(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "EPOCHS", 60)
    corpus = [Sentence(text.split(" ")) for text in SCRIPTS[language]]
    state = torch.get_rng_state()
    trained = train_on_treebank(corpus * 40, language)
    assert torch.equal(torch.get_rng_state(), state)
    blank = "" if language == "zh" else " "
    network = sentence_splitter.Network.from_json(json.loads(trained))
    # Soft hyphens and line breaks do not count.
    text = "\u00ad" + blank.join(SCRIPTS[language]) + "\n"
    found = RawTextTokenizer(language, network).sentences(text, 256)
    assert [text[s[0][0] : s[-1][1]] for s in found] == SCRIPTS[language]
    assert "".join(text[a:b] for s in found for a, b in s) == "".join(SCRIPTS[language]).replace(
        " ", ""
    )
