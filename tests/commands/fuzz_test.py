"""Commands on any pair of files, and on sentences with any words: an answer, or one clear error."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats import WRITABLE_FORMATS
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.conversion import STANDOFF_FORMATS, TABLE_FORMATS
from lisa_allennlp.formats.universal_propbank import read_role
from lisa_allennlp.sentence.roles import bio_to_spans
from lisa_allennlp.sentence.sentence import Sentence
from tests.commands.in_process import execute as run
from tests.commands.in_process import run as run_main
from tests.commands.scored_files import write_json_lines as write

# The folder of a test serves all its examples.
same_folder = [HealthCheck.function_scoped_fixture]


def test_names_of_files_that_are_not_utf8(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    name = os.fsdecode(b"caf\xe9.jsonl")
    words = [Sentence(["Go", "on"], frames=[]), Sentence(["Stop"], frames=[])]
    files = [write(tmp_path / name, words)] * 3
    scores = tmp_path / "scores.json"
    assert run_main("compare", "srl", *files, "--json", scores) == 0
    assert json.loads(scores.read_text())["gold"] == str(files[0])
    assert run_main("compare", "srl", *files) == 0
    assert "caf\\udce9.jsonl" in capsys.readouterr().out


# Nearly everything that JSON can hold.
any_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
any_label = any_text | st.sampled_from(["B-V", "B-A0", "I-A0", "O", "B-", "B-(", "B- ", "I-*"])


@pytest.mark.parametrize("format", WRITABLE_FORMATS)
@settings(max_examples=12, derandomize=True, suppress_health_check=same_folder)
@given(data=st.data())
def test_any_sentence_is_converted_whole(format: str, data: st.DataObject, tmp_path: Path) -> None:
    length = data.draw(st.integers(1, 4))
    values = st.lists(any_text, min_size=length, max_size=length)
    tags = data.draw(st.lists(any_label, min_size=length, max_size=length))
    frame = {"index": 0, "tags": tags, "lemma": data.draw(any_text), "sense": data.draw(any_text)}
    record = {
        "words": data.draw(values),
        "pos": data.draw(values),
        "verbs": data.draw(st.sampled_from([[], [frame]])),
        "predicted_heads": [0] * length,
        "predicted_dependencies": data.draw(values),
    }
    source, out = tmp_path / "in.jsonl", tmp_path / "out.ann"
    source.write_text(json.dumps(record) + "\n")
    for file in (out, out.with_suffix(".txt")):
        file.unlink(missing_ok=True)
    try:
        run("convert", source, out, "--to", format)
    except ConfigurationError as error:
        assert error.message.startswith(f"{source}:1: ")
        return
    if format in (*TABLE_FORMATS, *STANDOFF_FORMATS):
        return
    if format in ("conllu", "conllup") and record["verbs"] and "B-V" not in tags:
        # Each predicate in them has a V.
        return
    again = read_annotated(out, "conll05" if format == "combined_bio" else format)
    ((sentence, _),) = again.sentences
    expected = ["_"] * length if format == "props" else record["words"]
    assert sentence.words == expected
    if format == "conll09":
        # Its spans are those of the tree.
        return
    # An I-X without a span to continue begins one, and may be read back as a B-X.
    spans = [bio_to_spans(frame.tags) for frame in sentence.frames or []]
    expected = [bio_to_spans(verb["tags"]) for verb in record["verbs"]]
    if format == "conllup":
        # Its names of roles are read as PropBank's.
        expected = [[s._replace(role=read_role(s.role)[0]) for s in of] for of in expected]
    assert spans == expected
