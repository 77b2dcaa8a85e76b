"""CoNLL-2009, against Universal PropBank's columns, which have the same roles at the same heads."""

import io

from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.conll09 import parse_conll09, write_conll09
from lisa_allennlp.formats.conllu import write_conllup
from tests import FIXTURES

SAMPLE = read_annotated(FIXTURES / "sample/dev.gold_conll", parses=True).bare_sentences
ROWS = [
    "1 She she she PRP PRP _ _ 2 2 SBJ SBJ _ _ A0",
    "2 sells sell sell VBZ VBZ _ _ 0 0 ROOT ROOT Y sell.01 _",
    "3 cars car car NNS NNS _ _ 2 2 OBJ OBJ _ _ A1",
]


def read(text):
    return [sentence for sentence, _ in parse_conll09(io.StringIO(text), "dev.conll09")]


def written(sentences, write):
    file = io.StringIO()
    write(sentences, file)
    return file.getvalue()


def roles_at_heads(text):
    """The predicates of all sentences, with the labels and token ids of their arguments."""
    for sentence in text.strip().split("\n\n"):
        rows = [line.split("\t") for line in sentence.split("\n")]
        predicates = [row for row in rows if row[12] == "Y"]
        for column, predicate in enumerate(predicates, start=14):
            items = [f"{row[column]}:{row[0]}" for row in rows if row[column] != "_"]
            yield predicate[13], sorted(items)


def test_roles_are_at_the_heads_that_universal_propbank_has():
    text = written(SAMPLE, write_conll09)
    rows = [line.split("\t") for line in written(SAMPLE, write_conllup).splitlines()]
    in_columns = [row[10:12] for row in rows if len(row) > 10 and row[10] != "_"]
    assert list(roles_at_heads(text)) == [
        (sense, sorted(item for item in roles.split("|") if item[:2] not in ("_", "V:")))
        for sense, roles in in_columns
    ]
    again = read(text)
    assert written(again, write_conll09) == text
    for name in ("words", "pos", "lemmas", "parse"):
        assert [getattr(s, name) for s in again] == [getattr(s, name) for s in SAMPLE]
    spans = read(written(SAMPLE[:1], write_conll09))[0].frames
    assert spans == SAMPLE[0].frames


def test_predicted_columns_are_kept_and_fill_gaps():
    text = "\n".join(ROWS).replace(" ", "\t").replace("\tcar\tcar\t", "\tcar\tauto\t") + "\n\n"
    assert written(read(text), write_conll09) == text
    gaps = text.replace("\t2\t2\t", "\t_\t2\t").replace("sell\tsell", "_\tsell")
    (sentence,), (filled,) = read(text), read(gaps)
    assert (filled.parse, filled.frames, filled.lemmas) == (
        sentence.parse,
        sentence.frames,
        sentence.lemmas,
    )
    # The evaluation data of the shared task marks predicates, and has no senses and no roles.
    (blind,) = read("\n".join("\t".join(row.split()[:13]) for row in ROWS))
    assert [(f.predicate, f.lemma, f.sense) for f in blind.frames] == [(1, "sell", "-")]
