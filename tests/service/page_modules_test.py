"""The modules of the page that need no document, in a real browser."""

from typing import Any, Callable, Dict, Iterator, List

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from selenium.webdriver import Chrome

from lisa_allennlp.common.graphs import find_cycle
from lisa_allennlp.data.formats.roles import bio_to_spans
from lisa_allennlp.data.sentence import self_loop_heads
from lisa_allennlp.visualisation.texts import printable
from tests import ROOT
from tests.service.browser import files_of

PAGE = ROOT / "lisa_allennlp/service/page"
Run = Callable[..., Any]

pytestmark = pytest.mark.medium
in_browser = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def run(browser: Chrome) -> Iterator[Run]:
    """Runs a function's body with a module as `m` and further arguments as `a`."""

    def run(module: str, body: str, *arguments: Any) -> Any:
        script = (
            "const [module, a, done] = [arguments[0], [...arguments].slice(1, -1), "
            "arguments[arguments.length - 1]];"
            f"import(module).then((m) => {{ {body} }})"
            ".then((value) => done({value}), (error) => done({error: error.message}));"
        )
        result = browser.execute_async_script(script, f"/{module}.js", *arguments)
        if "error" in result:
            raise AssertionError(result["error"])
        return result["value"]

    with files_of(PAGE) as address:
        # A file without scripts, so that the modules are of this origin.
        browser.get(f"{address}/style.css")
        yield run


def heads(length: int) -> st.SearchStrategy[List[int]]:
    return st.tuples(
        *(st.sampled_from([h for h in range(length + 1) if h != t + 1]) for t in range(length))
    ).map(list)


@in_browser
@given(st.integers(1, 8).flatmap(heads))
def test_cycles_are_those_that_the_labeller_finds(run: Run, given_heads: List[int]) -> None:
    cycle = run("edits", "return m.findCycle(a[0])", given_heads)
    assert cycle == find_cycle(self_loop_heads(given_heads))


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
        st.tuples(st.just("withLabel"), st.integers(0, 3), st.sampled_from(["obl", "dep"])),
        st.tuples(st.sampled_from(["undo", "redo"])),
    ),
    max_size=12,
)
FOLLOW = """
  return import("/history.js").then(({ History }) => {
    const [own, steps] = a;
    const history = new History(m.NO_EDITS);
    for (const [name, ...values] of steps) {
      if (name === "undo" || name === "redo") history[name]();
      else if (name === "withLabel") history.add(m.withLabel(history.present, ...values));
      else history.add(m[name](history.present, own, ...values));
    }
    const edits = history.present;
    const request = m.requestFor(own, edits);
    while (history.undo());
    const isUnedited = m.isUnedited(history.present);
    while (history.redo());
    return [edits, request, isUnedited, history.present.heads];
  });
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
            labels[token] = value
        if (state["heads"], state["predicates"], labels) != before:
            past.append(before)
            future.clear()
    redone = future[0][0] if future else state["heads"]
    return {**state, "labels": labels, "redone": redone}


@in_browser
@given(STEPS)
def test_edits_undo_and_redo(run: Run, steps: List[Any]) -> None:
    edits, request, is_unedited, redone = run("edits", FOLLOW, OWN, steps)
    expected = follow(steps)
    assert is_unedited
    assert {int(token): label for token, label in edits["labels"].items()} == expected["labels"]
    assert request["tokens"] == OWN["words"]
    assert request.get("head_indices", OWN["predicted_heads"]) == expected["heads"]
    predicates = [token for token, is_one in enumerate(expected["predicates"]) if is_one]
    assert request.get("predicates", [1]) == predicates
    has_cycle = find_cycle(self_loop_heads(expected["heads"])) is not None
    assert request.get("allow_cycles", False) == has_cycle
    assert "head_tags" not in request
    own_heads = enumerate(OWN["predicted_heads"])
    assert [redone.get(str(token), head) for token, head in own_heads] == expected["redone"]


SPANS = st.tuples(st.sampled_from(["A0", "A1", "O"]), st.integers(0, 6), st.integers(0, 6)).filter(
    lambda span: span[1] <= span[2] and not span[1] <= 3 <= span[2]
)


@in_browser
@given(st.lists(SPANS, max_size=6))
def test_spans_take_the_words_of_those_before(run: Run, spans: List[Any]) -> None:
    """As tags that are overwritten one after the other."""
    tags = ["B-A0", "I-A0", "I-A0", "B-V", "B-A1", "I-A1", "I-A1"]
    own = {"words": ["w"] * 7, "pos": ["X"] * 7, "predicates": [3]}
    own["verbs"] = [{"index": 3, "tags": tags, "spans": [["A0", 0, 2], ["V", 3, 3], ["A1", 4, 6]]}]
    body = """
      const edits = a[1].reduce((before, span) => m.withSpan(before, a[0], 3, span), m.NO_EDITS);
      return import("/answers.js").then((answers) => [edits, answers.withCorrections(a[0], edits)]);
    """
    edits, drawn = run("edits", body, own, spans)
    roles: List[str] = [tag[2:] for tag in tags]
    given_words: Dict[int, str] = {}
    for role, first, last in spans:
        for token in range(first, last + 1):
            roles[token] = given_words[token] = role
    found = [tag[2:].removeprefix("C-") or "O" for tag in drawn["verbs"][0]["tags"]]
    assert found == roles
    listed = {
        token: role.removeprefix("C-")
        for role, first, last in edits["roles"].get("3", [])
        for token in range(first, last + 1)
    }
    assert listed == given_words
    assert bio_to_spans(drawn["verbs"][0]["tags"]) == [tuple(s) for s in drawn["verbs"][0]["spans"]]
    if spans:
        assert list(spans[-1]) in edits["roles"]["3"]


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1)
LINKS = st.integers(1, 12).flatmap(
    lambda words: st.tuples(
        st.just(words),
        st.dictionaries(st.integers(0, words - 1).map(str), st.booleans()),
        st.dictionaries(st.integers(0, words - 1).map(str), TEXTS.filter(lambda t: len(t) < 20)),
        st.dictionaries(
            st.integers(0, words - 1).map(str),
            st.lists(
                st.tuples(
                    TEXTS.filter(lambda t: len(t) < 20), st.just(0), st.integers(0, words - 1)
                ).map(list),
                min_size=1,
            ),
        ),
        heads(words),
    )
)


@in_browser
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
        ("text=a&at=x", 'found "x"; expected a sentence number'),
        ("text=a&edit=", 'found ""; expected such as 0.10;h8.2'),
        ("text=a&edit=0.3;h1.4", 'found "4"; expected a head of token 1'),
        ("text=a&edit=0.3;h1.2", 'found "2"; expected a head of token 1'),
        ("text=a&edit=0.3;h3.1", 'found "3.1"; expected a token below 3'),
        ("text=a&edit=0.3;p1.yes", 'found "yes"; expected 1 or 0'),
        ("text=a&edit=0.3;r1.A0:0:3", 'found "A0:0:3"; expected words below 3'),
        ("text=a&edit=0.3;l1.%25", 'found "%"; expected a relation'),
        ("text=a&edit=0.3;x1.2", 'found "0.3;x1.2"; expected such as 0.10;h8.2'),
        ("text=a&edit=0.3;h__proto__.2", 'found "__proto__.2"; expected TOKEN.VALUE'),
    ],
)
def test_links_that_do_not_fit_are_refused(run: Run, fragment: str, message: str) -> None:
    fragment = fragment.replace(";", "%3B")
    body = "try { m.fromFragment(a[0]); return ''; } catch (error) { return error.message; }"
    assert run("link", body, fragment) == message


def test_a_fragment_without_a_text_is_no_link(run: Run) -> None:
    assert run("link", "return m.fromFragment(a[0])", "edit=1") is None


SVG = '<svg xmlns="http://www.w3.org/2000/svg"{}>{}</svg>'


@pytest.mark.parametrize(
    "svg",
    [
        SVG.format("", "<script>1</script>"),
        SVG.format(' onload="1"', ""),
        SVG.format("", '<a href="https://example.org"><text>x</text></a>'),
        SVG.format("", '<text xmlns:x="http://www.w3.org/1999/xlink" x:href="y">x</text>'),
        SVG.format("", "<style>rect{fill:url(https://example.org)}</style>"),
        SVG.format("", '<rect fill="url(#x)"/>'),
        SVG.format(
            "", '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>'
        ),
        SVG.format("", '<g><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="1"/></g>'),
        "<svg><text>x</text></svg>",
        "<svg",
    ],
)
def test_pictures_with_more_than_shapes_and_texts_are_refused(run: Run, svg: str) -> None:
    body = "try { m.readSvg(a[0]); return 'read'; } catch (error) { return error.message; }"
    assert run("safe-svg", body, svg).startswith("The service sent a picture ")


def test_a_picture_of_the_package_is_read(run: Run) -> None:
    picture = (ROOT / "docs/images/sentence.svg").read_text()
    words = "return [...m.readSvg(a[0]).querySelectorAll('.word')].map((w) => w.textContent)"
    assert run("safe-svg", words, picture)[:3] == ["Can", "you", "send"]


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
    body = """
      return [
        m.arcDifferences(...a).map((arc) => m.describeArc(arc, a[0])),
        m.frameDifferences(...a).flatMap((frame) => m.describeFrame(frame, a[0])),
        m.frameDifferences(a[1], a[0]).flatMap((frame) => m.describeFrame(frame, a[0])),
        m.frameDifferences(a[0], a[0]),
      ]"""
    arcs, roles, back, none = run("differences", body, own, drawn)
    assert [arc["keys"] for arc in arcs] == [["arc 3"], ["arc 4"]]
    assert [arc["text"] for arc in arcs] == [
        "“him”: head “sold” (iobj) → “cars” (iobj)",
        "“cars”: head “sold” (obj) → the root (obj)",
    ]
    assert roles[2]["keys"] == ["span 1 ARG2 2 2", "span 1 ARGM-TMP 2 2"]
    assert {role["of"] for role in roles} == {"predicate 1", "predicate 3"}
    assert [role["text"] for role in roles] == [
        "“sold”: sell.01 → buy.01",
        "“sold”: ARG0 “She” is less probable: 1.00 → 0.85",
        "“sold”: “him” ARG2 0.90 → ARGM-TMP 0.50",
        "“sold”: ARG1 “cars” 0.80 is gone",
        "“sold”: ARG4 “She sold him” 0.40 is new",
        "“cars” is a predicate now: no roles",
    ]
    assert "“cars” is no predicate any more" in [role["text"] for role in back]
    assert none == []


def test_words_are_escaped_as_in_the_package(run: Run) -> None:
    words = ["a\u202eb", "\u2060", "\u200b", "\u061c", "שלום", "e\u0301", "क्\u200dष", "🙂"]
    assert run("answers", "return a[0].map(m.printable)", words) == [printable(w) for w in words]


def test_the_description_of_a_word_has_its_tag_head_and_roles(run: Run) -> None:
    spans = [["ARG0", 0, 0], ["V", 1, 1], ["ARG1", 3, 3]]
    answer = {**OWN, "pos": ["PRP", "VBD", "PRP", "XY"], "verbs": [verb(1, spans, [1, 1, 1])]}
    names = run("words", "return a[0].words.map((_, token) => m.describeWord(a[0], token))", answer)
    assert names == [
        "pronoun, nsubj of sold, ARG0 of sold",
        "verb, predicate sell.01, head: root, roles: ARG0 She; ARG1 cars",
        "pronoun, iobj of sold",
        "obj of sold, ARG1 of sold",
    ]


def test_chosen_relations_replace_the_models(run: Run) -> None:
    answer = {**OWN, "head_probabilities": [1, 1, 1, 1]}
    corrected = "return m.withCorrections(a[0], {labels: a[1], pos: {}, senses: {}, roles: {}})"
    changed = run("answers", corrected, answer, {2: "obl"})
    assert changed["predicted_dependencies"] == ["nsubj", "root", "obl", "obj"]
    assert "head_probabilities" not in changed
    assert run("answers", corrected, answer, {}) == answer
