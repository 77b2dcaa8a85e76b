import subprocess
import sys

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.scoring import Conll18Evaluation
from tests import FIXTURES

GOLD = FIXTURES / "formats" / "conll05" / "sample.conllu"


def write(folder, text, name="predicted.conllu"):
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture
def predicted(tmp_path):
    """The gold trees with a wrong label, a wrong subtype and a wrong head."""
    rows = [line.split("\t") for line in GOLD.read_text().splitlines()]
    words = {row[1]: row for row in rows if len(row) == 10}
    words["costs"][7] = "iobj"
    words["cut"][7] = "acl"
    words["he"][6] = "5"
    return write(tmp_path, "\n".join("\t".join(row) for row in rows) + "\n")


def test_table_is_udtools(predicted):
    program = "from udtools.cli import main_eval; main_eval()"
    command = [sys.executable, "-c", program, "-v", "--no-enhanced", GOLD, predicted]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    evaluation = Conll18Evaluation(predicted, GOLD)
    assert evaluation.table() + "\n" == printed
    # Subtypes do not count.
    scores = evaluation.to_dict()
    right = scores["Words"]["gold_total"] - 1
    assert (scores["UAS"]["correct"], scores["LAS"]["correct"]) == (right, right - 1)
    assert "ELAS" not in scores


def test_sums_of_the_ratios_are_the_scores(predicted):
    evaluation = Conll18Evaluation(predicted, GOLD)
    sentences = evaluation.sentence_ratios()
    assert len(sentences) == 3
    for name in ("UAS", "LAS", "CLAS", "MLAS", "BLEX"):
        right, total = map(sum, zip(*(ratios[name] for ratios in sentences), strict=True))
        assert 100 * right / total == pytest.approx(evaluation.to_dict()[name]["f1"])


UNREADABLE = ":1: found a sentence that udtools cannot read"


@pytest.mark.parametrize(
    "before, after, message",
    [
        ("\tcosts\t", "\tcoasts\t", ": The concatenation of tokens"),
        ("\t2\tdet\t", "\tx\tdet\t", f"{UNREADABLE} (Cannot parse HEAD 'x' at line"),
        # udtools lets Python's own errors through.
        ("\t2\tdet\t_", "\t2\tdet\t2", f"{UNREADABLE} (not enough values to unpack"),
    ],
)
def test_errors_of_udtools_name_the_file(tmp_path, before, after, message):
    text = GOLD.read_text()
    assert before in text
    path = write(tmp_path, text.replace(before, after, 1))
    with pytest.raises(ConfigurationError) as error:
        Conll18Evaluation(path, GOLD)
    assert error.value.message.startswith(f"{path}{message}")


ONE = "1\t{}\t_\t_\t_\t_\t0\troot\t_\t_\n"


def test_sentences_that_are_split_elsewhere_cannot_be_compared(tmp_path):
    two = "1\t{}\t_\t_\t_\t_\t0\troot\t_\t_\n2\t{}\t_\t_\t_\t_\t1\tdep\t_\t_\n"
    gold = write(tmp_path, two.format("a", "b") + "\n" + ONE.format("c"), "gold.conllu")
    other = write(tmp_path, ONE.format("a") + "\n" + two.format("b", "c"))
    evaluation = Conll18Evaluation(other, gold)
    with pytest.raises(ConfigurationError) as error:
        evaluation.sentence_ratios()
    assert error.value.message == (
        f"{other}:1: found a sentence with another text; expected the text of the sentence at "
        f"{gold}:1"
    )
    more = write(tmp_path, "\n".join(map(ONE.format, "abc")))
    with pytest.raises(ConfigurationError, match=f"found 3 sentences; expected 2, as in {gold}"):
        Conll18Evaluation(more, gold).sentence_ratios()
