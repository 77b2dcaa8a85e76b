"""The modules of the page that need no document, by Node.js."""

import json
import shutil
import subprocess
from dataclasses import replace
from typing import Any, Callable, Dict, Iterator, List

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.apps.show.texts import printable, typed
from lisa_allennlp.sentence.sentence import Sentence
from tests import ROOT

PAGE = ROOT / "lisa_allennlp/apps/serve/page"
NODE = shutil.which("node")
Run = Callable[..., Any]

pytestmark = [
    pytest.mark.medium,
    pytest.mark.skipif(NODE is None, reason="expected node on the PATH"),
]
in_node = settings(max_examples=40, deadline=None)

ANSWER = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { modules, body, a } = JSON.parse(line);
  const m = Object.assign({}, ...(await Promise.all(modules.map((path) => import(path)))));
  let answer;
  try { answer = { value: new Function("m", "a", body)(m, a) ?? null }; }
  catch (error) { answer = { error: error.message }; }
  console.log(JSON.stringify(answer));
}
"""
"""Answers each line of its input with a line."""


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Runs a function's body with what modules export as `m` and further arguments as `a`."""
    command = [str(NODE), "--input-type=module", "--eval", ANSWER]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, encoding="utf-8", **pipes) as node:

        def run(modules: str, body: str, *arguments: Any) -> Any:
            paths = [(PAGE / f"{name}.js").as_uri() for name in modules.split()]
            print(json.dumps({"modules": paths, "body": body, "a": arguments}), file=node.stdin)
            node.stdin.flush()
            answer = json.loads(node.stdout.readline())
            assert "error" not in answer, answer
            return answer["value"]

        yield run
        node.stdin.close()


def heads(length: int) -> st.SearchStrategy[List[int]]:
    return st.tuples(
        *(st.sampled_from([h for h in range(length + 1) if h != t + 1]) for t in range(length))
    ).map(list)


OWN = {
    "words": ["She", "sold", "him", "cars"],
    "predicted_heads": [2, 0, 2, 2],
    "predicted_dependencies": ["nsubj", "root", "iobj", "obj"],
    "predicates": [1],
    "verbs": [],
}
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("withHead"), st.integers(0, 3), st.integers(0, 4)),
        st.tuples(st.just("withPredicate"), st.integers(0, 3), st.booleans()),
        st.tuples(st.just("withLabel"), st.integers(0, 3), st.sampled_from(["obl", "obj"])),
        st.tuples(st.sampled_from(["undo", "redo"])),
    ),
    max_size=12,
)
FOLLOW = """
  const [own, steps] = a;
  const history = new m.History(m.NO_EDITS);
  for (const [name, ...values] of steps) {
    if (name === "undo" || name === "redo") history[name]();
    else history.add(m[name](history.present, own, ...values));
  }
  const edits = history.present;
  while (history.undo());
  const isUnedited = m.isUnedited(history.present);
  while (history.redo());
  return [edits, m.headsOf(own, edits), m.predicatesOf(own, edits), m.correctionsOf(edits),
    isUnedited, history.present.heads];
"""


def follow(steps: List[Any]) -> Dict[str, Any]:
    """What the steps lead to, and the heads after every redo, in the simplest way."""
    state = {"heads": list(OWN["predicted_heads"]), "predicates": [False, True, False, False]}
    labels: Dict[int, str] = {}
    past: List[Any] = []
    future: List[Any] = []
    for name, *values in steps:
        before = ([*state["heads"]], [*state["predicates"]], dict(labels))
        if name in ("undo", "redo"):
            here, there = (past, future) if name == "undo" else (future, past)
            if here:
                there.append(before)
                state["heads"], state["predicates"], labels = here.pop()
            continue
        token, value = values
        if name == "withHead" and value not in (token + 1, state["heads"][token]):
            state["heads"][token] = value
            labels.pop(token, None)
        elif name == "withPredicate":
            state["predicates"][token] = value
        elif name == "withLabel":
            is_own = state["heads"][token] == OWN["predicted_heads"][token]
            labels.pop(token, None)
            if not is_own or value != OWN["predicted_dependencies"][token]:
                labels[token] = value
        if (state["heads"], state["predicates"], labels) != before:
            past.append(before)
            future.clear()
    redone = future[0][0] if future else state["heads"]
    return {**state, "labels": labels, "redone": redone}


@in_node
@given(STEPS)
def test_edits_undo_and_redo(run: Run, steps: List[Any]) -> None:
    found = run("edits history", FOLLOW, OWN, steps)
    edits, found_heads, predicates, corrections, is_unedited, redone = found
    expected = follow(steps)
    assert is_unedited
    assert {int(token): label for token, label in edits["labels"].items()} == expected["labels"]
    assert found_heads == expected["heads"]
    assert predicates == [token for token, is_one in enumerate(expected["predicates"]) if is_one]
    assert corrections == {key: values for key, values in edits.items() if values}
    own_heads = enumerate(OWN["predicted_heads"])
    assert [redone.get(str(token), head) for token, head in own_heads] == expected["redone"]


PLACES = [(i, j) for i in range(7) for j in range(i, 7) if not i <= 3 <= j]
SPANS = st.builds(
    lambda role, place: (role, *place), st.sampled_from(["A0", "A1", "O"]), st.sampled_from(PLACES)
)


@in_node
@given(st.lists(SPANS, max_size=6))
def test_spans_take_the_words_of_those_before(run: Run, spans: List[Any]) -> None:
    own = {"words": ["w"] * 7, "predicates": [3]}
    body = "return a[1].reduce((before, span) => m.withSpan(before, a[0], 3, span), m.NO_EDITS)"
    listed = run("edits", body, own, spans)["roles"].get("3", [])
    expected: Dict[int, str] = {}
    for role, first, last in spans:
        expected.update(dict.fromkeys(range(first, last + 1), role))
    roles = [(t, r.removeprefix("C-")) for r, first, last in listed for t in range(first, last + 1)]
    assert roles == sorted(expected.items())
    if spans:
        assert list(spans[-1]) in listed


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1)
SHORT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=19)
LINKS = st.integers(1, 12).flatmap(
    lambda words: st.tuples(
        st.just(words),
        st.dictionaries(st.integers(0, words - 1).map(str), st.booleans()),
        st.dictionaries(st.integers(0, words - 1).map(str), SHORT),
        st.dictionaries(
            st.integers(0, words - 1).map(str),
            st.lists(
                st.tuples(SHORT, st.just(0), st.integers(0, words - 1)).map(list),
                min_size=1,
            ),
        ),
        heads(words),
    )
)


@in_node
@given(TEXTS, st.integers(0, 9), st.lists(LINKS, max_size=3))
def test_links_are_read_as_written(run: Run, text: str, active: int, links: List[Any]) -> None:
    sentences = [
        {
            "words": words,
            "edits": {
                "heads": {str(t): h for t, h in enumerate(all_heads) if t % 2},
                "predicates": predicates,
                "labels": labels,
                "pos": labels,
                "senses": labels,
                "upos": labels,
                "lemmas": labels,
                "roles": roles,
            },
        }
        for words, predicates, labels, roles, all_heads in links
    ]
    state = {"text": text, "active": active, "sentences": sentences}
    body = """
      const read = m.fromFragment(m.toFragment(a[0]));
      return { ...read, sentences: [...read.sentences] };
    """
    found = run("link", body, state)
    edited = [[n, s] for n, s in enumerate(sentences) if any(s["edits"].values())]
    assert found == {"text": text, "active": active, "sentences": edited}


@pytest.mark.parametrize(
    "fragment, message",
    [
        ("text=a&edit=0.3;h1.4", '"4"'),
        ("text=a&edit=0.3;r1.A0:0:3", '"A0:0:3"'),
        ("text=a&edit=0.3;h__proto__.2", '"__proto__.2"'),
    ],
)
def test_links_that_do_not_fit_are_refused(run: Run, fragment: str, message: str) -> None:
    fragment = fragment.replace(";", "%3B")
    body = "try { m.fromFragment(a[0]); return ''; } catch (error) { return error.message; }"
    assert message in run("link", body, fragment)


def verb(index: int, spans: List[Any], probabilities: List[float]) -> Dict[str, Any]:
    return {"index": index, "spans": spans, "span_probabilities": probabilities, "sense": "sell.01"}


def test_changes_in_words(run: Run) -> None:
    before = verb(
        1, [["ARG0", 0, 0], ["V", 1, 1], ["ARG2", 2, 2], ["ARG1", 3, 3]], [1, 1, 0.9, 0.8]
    )
    after = verb(
        1, [["ARG0", 0, 0], ["V", 1, 1], ["ARGM-TMP", 2, 2], ["ARG4", 0, 2]], [0.85, 1, 0.5, 0.4]
    )
    own = {**OWN, "verbs": [before]}
    drawn = {
        **OWN,
        "predicted_heads": [2, 0, 4, 0],
        "verbs": [{**after, "sense": "buy.01"}, verb(3, [], [])],
    }
    found, none = run(
        "differences", "return [m.changesOf(...a), m.changesOf(a[0], a[0])]", own, drawn
    )
    assert [arc["text"] for arc in found["arcs"]] == [
        "“him”: head “sold” (iobj) → “cars” (iobj)",
        "“cars”: head “sold” (obj) → the root (obj)",
    ]
    assert [role["text"] for role in found["roles"]] == [
        "“sold”: sell.01 → buy.01",
        "“sold”: ARG0 “She” is less probable: 1.00 → 0.85",
        "“sold”: “him” ARG2 0.90 → ARGM-TMP 0.50",
        "“sold”: ARG1 “cars” 0.80 is gone",
        "“sold”: ARG4 “She sold him” 0.40 is new",
        "“cars” is a predicate now: no roles",
    ]
    assert none == {"arcs": [], "roles": []}


def test_arrows_point_to_what_is_new_between_words_from_right_to_left(run: Run) -> None:
    """Both sides have a direction of their own, and the number of a sense follows its lemma."""
    own = {"words": ["מכר"], "verbs": [{**verb(0, [], []), "sense": "מכר.01"}]}
    drawn = {**own, "verbs": [{**verb(0, [], []), "sense": "מכר.02"}]}
    body = "return m.changesOf(...a).roles[0].text"
    marked = "“מכר”: \u2066מכר\u200e.01\u2069 → \u2066מכר\u200e.02\u2069"
    assert run("differences", body, own, drawn) == marked


def test_lists_are_searched(run: Run) -> None:
    """The name that is typed comes before names that begin with it, and texts that have it."""
    texts = ["VBP verb, present", "NN noun", "VB verb, base form", "VBN verb, past", "C-VB verb"]
    options = [[text.split()[0], text] for text in texts]

    def found(query: str) -> List[str]:
        return [value for value, _ in run("combobox", "return m.matching(...a)", options, query)]

    assert found("vb") == ["VB", "VBP", "VBN", "C-VB"]
    assert found("Past") == ["VBN"] and found("x") == []
    assert found(" ") == [value for value, _ in options]


def test_words_are_escaped_as_in_the_package(run: Run) -> None:
    words = ["a\u202eb", "\u2060", "\u200b", "\u061c", "שלום", "e\u0301", "क्\u200dष", "🙂"]
    words += ["-LRB-", ":--RSB-", "-lrb-", "\ufe0f", "\u0301\u200b"]
    sentence = Sentence(words).as_typed()
    found = run("answers", "return a[0].map(m.printable)", words)
    assert found == [printable(word) for word in sentence.words]
    offsets = [(3 * place + place // 2, 3 * place + 3) for place in range(len(words))]
    answer = {"words": words, "offsets": offsets}
    for one, known in ((answer, offsets), ({"words": words}, None)):
        text = run("answers", "return m.textOf(a[0], 2, 9)", one)
        assert text == typed(replace(sentence, offsets=known), 2, 9)
