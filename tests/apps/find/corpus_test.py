"""Questions to small corpora, against a filter in Python."""

import csv
import json
import math
import operator
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Optional

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from lisa_allennlp.apps.find import Corpus, Count, Question
from lisa_allennlp.apps.find.corpus import LeftOut
from lisa_allennlp.common.errors import ConfigurationError
from tests.apps.find.tables import SALES, event, write_csv, write_parquet


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("labelled")
    write_parquet(folder / "events/shard-00000-of-00002.parquet", SALES[:3])
    write_parquet(folder / "events/shard-00001-of-00002.parquet", SALES[3:])
    return Corpus(folder)


def has(cell: Optional[str], value: str) -> bool:
    if value[0] in "<>":
        compared = {"<": operator.lt, ">=": operator.ge}[value[:-1]]
        return cell is not None and compared(int(cell), int(value[-1]))
    return value == "*" or (cell or "") in value.split("|")


def matches(row: Dict[str, Any], question: Question) -> bool:
    def fills(role: str, value: str) -> bool:
        if row[role] is None:
            return False
        if value.startswith("/"):
            return re.search(value[1:-1], row[role], re.IGNORECASE) is not None
        text, heads = row[role].lower(), [head.lower() for head in row[f"{role}_heads"]]
        words = value.lower().split("|")
        return value == "?" or any(w in heads or (" " in w and w in text) for w in words)

    is_denied = row["negated"] or row["factuality"] == "denied"
    is_said = row["factuality"] in (question.factuality or ("asserted", "attributed", "denied"))
    is_asked = {
        "any": True,
        "negated": is_denied and is_said,
        "affirmed": is_said and not (row["negated"] or (not question.factuality and is_denied)),
    }[question.polarity]
    return (
        is_asked
        and (not question.senses or row["sense"] in question.senses)
        and (not question.lemmas or row["lemma"] in question.lemmas)
        and (not question.factuality or row["factuality"] in question.factuality)
        and all(has(row[name], value) for name, value in question.where.items())
        and all(fills(role, value) for role, value in question.conditions.items())
    )


def some(*values: str) -> st.SearchStrategy:
    return st.lists(st.sampled_from(values), max_size=2, unique=True)


VALUES = ("?", "*", "apple", "Google|he", "phone", "phone and", "new york", "/^(CAR|SHO)/", "/k$/")
QUESTIONS = st.builds(
    Question,
    some("sell.01", "buy.01"),
    some("sell", "give"),
    st.dictionaries(st.sampled_from(["ARG0", "ARG1", "ARG2"]), st.sampled_from(VALUES), max_size=2),
    some("ARG0", "ARG2"),
    st.sampled_from(["affirmed", "negated", "any"]),
    some("asserted", "wanted", "denied"),
    st.dictionaries(st.just("stars"), st.sampled_from(["1", "5|2", "1|", "<3", ">=2", "*"])),
)


@given(QUESTIONS)
def test_hits_are_the_rows_that_match(corpus: Corpus, question: Question) -> None:
    expected = [row["text"] for row in SALES if matches(row, question)]
    hits = corpus.find(question)
    assert [hit.text for hit in hits] == expected
    assert [hit.text for hit in corpus.find(question, 2, 1)] == expected[1:3]
    assert corpus.number(question) == len(expected)
    heads = [
        head.lower()
        for row in SALES
        if matches(row, question)
        for head in row.get("ARG1_heads") or []
    ]
    counts = corpus.count(question, ["ARG1"])
    assert {count.heads[0].lower(): count.number for count in counts} == Counter(heads)
    assert [c.number for c in counts] == sorted((c.number for c in counts), reverse=True)


def texts(corpus: Corpus, *arguments: Any, **options: Any) -> List[str]:
    return [hit.text for hit in corpus.find(Question(*arguments, **options))]


def test_roles_for_people(corpus: Corpus) -> None:
    question = Question(["sell.01"], asked=["why"], polarity="any")
    assert [count.heads for count in corpus.count(question)] == [("buy",), ("crisis",)]
    assert texts(corpus, roles={"who": "he", "to_whom": "?"}) == [
        SALES[1]["text"],
        SALES[5]["text"],
    ]
    # A word that is no lemma.
    assert texts(corpus, roles={"what": "phones"}) == [SALES[0]["text"], SALES[1]["text"]]


def test_counts_of_several_roles_have_the_shortest_texts(corpus: Corpus) -> None:
    counts = corpus.count(Question(["sell.01"]), ["ARG0", "ARG1"])
    assert counts == [
        Count(("Apple", "phone"), 1, ["APPLE | PHONE AND TABLET"]),
        Count(("Apple", "tablet"), 1, ["APPLE | PHONE AND TABLET"]),
        Count(("he", "Phone"), 1, ["HE | PHONE"]),
    ]
    (phone, *_) = corpus.count(Question(["sell.01"], asked=["ARG1"]))
    assert (phone.number, phone.examples) == (2, ["PHONE", "PHONE AND TABLET"])


def test_columns_are_counted_and_pronouns_left_out(corpus: Corpus) -> None:
    question = Question(["sell.01"], polarity="any")
    counts = corpus.count(question, ["factuality", "stars"])
    assert [(*count.heads, count.number) for count in counts] == [
        ("denied", "", 2),
        *[("asserted", stars, 1) for stars in "125"],
    ]
    sellers = [c.heads for c in corpus.count(replace(question, pronouns=False), ["who"])]
    assert sellers == [("Apple",)] and len(corpus.count(question, ["who"])) == 2


def test_ranges_of_dates_and_probabilities(tmp_path: Path) -> None:
    rows = [{**SALES[0], "stars": f"2026-0{n}-15", "happened": n / 4} for n in (1, 2, 3)]
    dated = Corpus(write_parquet(tmp_path / "a.parquet", rows))
    for corpus in (dated, Corpus(write_csv(tmp_path / "b.csv", [*rows, SALES[0]]))):
        assert corpus.number(Question(where={"happened": ">0.25"})) == 2
    for value, number in ((">=2026-02", 2), (">2026-02", 1), ("<=2026-02 & >2026-01-15", 1)):
        assert dated.number(Question(where={"stars": value})) == number


def test_salient_events_by_log_odds(tmp_path: Path) -> None:
    # 3 of 4 events with one star, and 1 of 6 others, are returns.
    rows = [
        event(sense, {}, stars=stars)
        for sense, stars, number in (
            *(("return.02", "1", 3), ("buy.01", "1", 1)),
            *(("return.02", "5", 1), ("buy.01", "5", 5)),
        )
        for _ in range(number)
    ]
    rows[0].update(negated=True, factuality="denied")
    found = Corpus(write_parquet(tmp_path / "a.parquet", rows)).salient(
        Question(where={"stars": "<2"})
    )
    assert {one.event: (one.number, one.rest) for one in found} == {
        **{"not return": (1, 0), "return": (2, 1), "buy": (1, 5)},
    }
    for one in found:
        prior = 500 * (one.number + one.rest) / 10
        odds = [(n + prior) / (of + 500 - n - prior) for n, of in ((one.number, 4), (one.rest, 6))]
        deviation = (1 / (one.number + prior) + 1 / (one.rest + prior)) ** 0.5
        assert math.isclose(one.score, math.log(odds[0] / odds[1]) / deviation)
    assert found == sorted(found, key=lambda one: -one.score) and found[-1].event == "buy"


def test_conditions_that_nothing_meets_are_named(corpus: Corpus) -> None:
    question = Question(["sell.01"], roles={"ARG1": "shop"}, where={"stars": "7"})
    assert corpus.left_out(replace(question, roles={})) == [
        LeftOut(3, "without stars 7, whose stars is 1, 2, 5 ...", "where", "stars=*")
    ]
    without = corpus.left_out(replace(question, where={}))
    assert [(one.number, one.option, one.value) for one in without] == [(3, "role", "ARG1=*")]


def test_no_sense_is_fixed_in_silence(tmp_path: Path) -> None:
    rows = [event("raise.01", {"ARG1": ["price"]})] * 3 + [event("raise.02", {"ARG1": ["son"]})]
    raised = Corpus(write_parquet(tmp_path / "a.parquet", rows))
    question = Question(["raise.03"], asked=["ARG1"])
    assert raised.senses(question) == {"raise.01": 3, "raise.02": 1}
    assert raised.weighed(question).senses == ["raise.01", "raise.02"]
    unsure = replace(question, senses=["raise.03", "raise.02", "raise.05"])
    assert raised.weighed(unsure).senses == ["raise.02"]
    kept = replace(question, senses=["raise.02"])
    assert raised.weighed(kept) == kept
    (other,) = raised.left_out(kept)
    assert (other.number, other.option, other.value) == (3, "sense", "raise.01")


def test_what_has_no_tense_is_past_if_it_is_a_verb_and_probable(tmp_path: Path) -> None:
    values = [
        *(("past", "active", 0.1), ("present", "active", 0.9), (None, "active", 0.9)),
        *((None, "active", 0.1), (None, "passive", None), (None, None, 0.9)),
    ]
    rows = [
        event("sell.01", {"ARG1": [str(place)]}, tense=tense, voice=voice, happened=happened)
        for place, (tense, voice, happened) in enumerate(values)
    ]
    sales = Corpus(write_parquet(tmp_path / "a.parquet", rows))
    past = Question(["sell.01"], where={"tense": "past|"})
    assert [hit.roles["ARG1"] for hit in sales.find(past)] == ["0", "2", "4"]
    (wider,) = sales.left_out(past)
    assert (wider.number, wider.value) == (3, "tense=*")
    assert "none 2, present 1" in wider.text


def test_rolesets_of_the_same_class(corpus: Corpus) -> None:
    google = Question(["buy.01"], roles={"ARG0": "google"}, asked=["ARG1"], polarity="any")
    assert corpus.number(google) == 1
    alike = replace(google, like=True)
    assert [hit.sense for hit in corpus.find(alike)] == ["buy.01", "acquire.01"]
    assert [c.heads for c in corpus.count(alike)] == [("New York",), ("YouTube",)]
    assert corpus.number(Question(["buy.01"], roles={"ARG1": "youtube"}, like=True)) == 1
    given = Question(["give.01"], roles={"ARG1": "phone"}, like=True)
    assert [hit.sense for hit in corpus.find(given)] == ["sell.01", "sell.01"]


def test_outputs_have_all_hits(corpus: Corpus, tmp_path: Path) -> None:
    question = Question(["sell.01"], polarity="any")
    found = [dict(hit.row) for hit in corpus.find(question)]
    for ending in (".csv", ".jsonl", ".parquet"):
        assert corpus.write(question, str(tmp_path / f"sales{ending}")) == 5
    assert parquet.read_table(tmp_path / "sales.parquet").to_pylist() == found
    lines = [json.loads(line) for line in (tmp_path / "sales.jsonl").read_text().splitlines()]
    known = [{k: v for k, v in row.items() if v is not None} for row in found]
    assert [{k: v for k, v in line.items() if v is not None} for line in lines] == known
    again = [hit.row for hit in Corpus(tmp_path / "sales.csv").find(question)]
    assert [{**dict.fromkeys(found[0]), **row} for row in again] == found
    assert corpus.write(question, str(tmp_path / "counts.csv"), ["ARG1"]) == 5
    with open(tmp_path / "counts.csv", newline="") as file:
        first, *_ = csv.DictReader(file)
    assert (first["number"], first["examples"]) == ("2", "PHONE; PHONE AND TABLET")


def test_the_index_follows_the_tables(tmp_path: Path) -> None:
    table = write_parquet(tmp_path / "events/a.parquet", SALES[:3])
    index = tmp_path / "events.duckdb"
    assert len(Corpus(tmp_path)) == 3
    made = index.stat().st_mtime_ns
    assert len(Corpus(tmp_path)) == 3 and index.stat().st_mtime_ns == made
    write_parquet(table, SALES[:4])
    assert len(Corpus(tmp_path)) == 4
    write_parquet(tmp_path / "events/b.parquet", SALES[4:])
    assert len(Corpus(tmp_path)) == len(SALES)
    index.write_bytes(b"no index")
    assert len(Corpus(tmp_path)) == len(SALES)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["events", "events.duckdb"]


def test_without_a_place_for_the_index_the_tables_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_parquet(tmp_path / "events/a.parquet", SALES)
    monkeypatch.setattr("os.access", lambda *_: False)
    assert len(Corpus(tmp_path)) == len(SALES)
    assert not (tmp_path / "events.duckdb").exists()


@pytest.mark.parametrize(
    "question, message",
    [
        ({"senses": ["sell.77"]}, "the sense 'sell.77'"),
        ({"roles": {"to_who": "x"}}, "no role 'to_who' .*'to_whom'"),
        ({"where": {"star": "1"}}, "no column 'star' .*'stars'"),
        ({"factuality": ["assert"]}, "'assert' .*'asserted'"),
        ({"roles": {"ARG1": "/(/"}}, "RE2"),
    ],
)
def test_wrong_values(corpus: Corpus, question: Dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        corpus.number(Question(**question))


def test_tables_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="found no tables of events in"):
        Corpus(tmp_path)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(ConfigurationError, match="a.parquet: cannot be read"):
        Corpus(tmp_path / "a.parquet")
    (tmp_path / "b.csv").write_text("document,text\na,b\n")
    with pytest.raises(ConfigurationError, match="b.csv: found no column sentence"):
        Corpus(tmp_path / "b.csv")


def test_values_are_no_sql(corpus: Corpus) -> None:
    quote = "x' OR '1'='1"
    assert not texts(corpus, roles={"ARG1": quote}) and not texts(corpus, where={"stars": quote})
    assert not texts(corpus, lemmas=[quote]) and not texts(corpus, roles={"ARG1": f"/{quote}/"})


def test_an_index_of_somebody_else_runs_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    write_parquet(tmp_path / "events/a.parquet", SALES)
    Corpus(tmp_path)
    index = tmp_path / "events.duckdb"
    with duckdb.connect(str(index)) as connection:
        connection.execute("ALTER TABLE events RENAME TO others")
        read = f"(SELECT content FROM read_text('{secret}'))"
        connection.execute(f"CREATE VIEW events AS SELECT * REPLACE ({read} AS text) FROM others")
        connection.execute(f"CREATE MACRO lower(x) AS {read}")
        connection.execute(f"CREATE MACRO duckdb_tables() AS TABLE SELECT {read} AS table_name")
    found = [hit.text for hit in Corpus(tmp_path).find(Question(polarity="any"))]
    assert found == [row["text"] for row in SALES]
    with duckdb.connect(str(index)) as connection:
        connection.execute("ALTER TABLE events DROP COLUMN ARG0")
    assert "ARG0" in Corpus(tmp_path).roles


@pytest.mark.parametrize("name", ["lab[1]", "it's"])
def test_names_of_folders_are_no_patterns(name: str, tmp_path: Path) -> None:
    for folder, rows in ((name, SALES[:2]), ("lab1", SALES)):
        write_parquet(tmp_path / folder / "events/a.parquet", rows)
    for _ in range(2):
        assert len(Corpus(tmp_path / name)) == 2


def test_columns_of_the_user_are_no_others(tmp_path: Path) -> None:
    names = ("rowid", "_row", "example", "head0", "examples", "foo_heads", "ARG1_keys", "number")
    table = parquet.read_table(write_parquet(tmp_path / "a.parquet", SALES))
    for name in names:
        table = table.append_column(name, [["7"] * len(SALES)])
    parquet.write_table(table, tmp_path / "own.parquet")
    corpus, own = Corpus(tmp_path / "a.parquet"), Corpus(tmp_path / "own.parquet")
    question = Question(["sell.01"], asked=["ARG1"], polarity="any")
    assert texts(own, ["sell.01"], asked=["ARG1"]) == texts(corpus, ["sell.01"], asked=["ARG1"])
    assert own.count(question) == corpus.count(question) and own.roles == corpus.roles
    assert [hit.roles for hit in own.find(question)] == [h.roles for h in corpus.find(question)]
    assert own.number(replace(question, where=dict.fromkeys(names, "7"))) == 5
    own.write(question, str(tmp_path / "own.csv"))
    assert Corpus(tmp_path / "own.csv").number(question) == 5


def test_spreadsheets_run_no_cell(tmp_path: Path) -> None:
    values = ["=1+1", "+a", "-", "'=a", "''-b", "-5.2", "'x", "@a", "\t=a", "a=b", '[a, "b"']
    rows = [{**SALES[0], "stars": value, "ARG1_heads": [value]} for value in values]
    question = Question(polarity="any")
    Corpus(write_parquet(tmp_path / "a.parquet", rows)).write(question, str(tmp_path / "a.csv"))
    with open(tmp_path / "a.csv", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert all(cell == "-5.2" or cell[:1] not in tuple("=+-@\t") for cell in cells)
    again = Corpus(tmp_path / "a.csv").find(question)
    assert [hit.row["stars"] for hit in again] == values
    assert [hit.row["ARG1_heads"] for hit in again] == [[value] for value in values]


def test_a_role_that_is_asked_again_counts_once(corpus: Corpus) -> None:
    (count, *_) = corpus.count(Question(["sell.01"], asked=["ARG1", "what"] * 20))
    assert [head.lower() for head in count.heads] == ["phone"] * 40 and count.number == 2
    assert corpus.find(Question(), 2**64, 2**64) == []


@pytest.mark.parametrize("changes", [{"negated": "x"}, {"text": ""}, {"ARG1_offsets": "a"}])
def test_tables_that_somebody_edited(changes: Dict[str, str], tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", SALES[:1])
    with open(path, newline="") as file:
        (row,) = csv.DictReader(file)
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow({**row, **changes})
    with pytest.raises(ConfigurationError, match="a.csv: (cannot be read|found no text)"):
        Corpus(path)


def test_unfinished_runs_are_named(tmp_path: Path) -> None:
    write_parquet(tmp_path / "events/shard-00002-of-00004.parquet", SALES)
    notes: List[str] = []
    Corpus(tmp_path, notes.append)
    assert "has 1 of 4 shards" in notes[0]
