"""The JavaScript of the page in browser/ against the package, by Node.js."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Tuple

import numpy
import pytest

from lisa_allennlp.data.formats.roles import without_arguments
from lisa_allennlp.data.tokenizers.raw_text import RawTextTokenizer, words_at
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain, span_marginals
from lisa_allennlp.decoding.trees import decode_head_tags, decode_heads, softmax
from lisa_allennlp.decoding.well_formed import WellFormedFrames
from lisa_allennlp.inference.onnx_export import chain_in_json, tokenizer_rules
from tests import ROOT

NODE = shutil.which("node")

pytestmark = [
    pytest.mark.medium,
    pytest.mark.skipif(NODE is None, reason="expected node on the PATH"),
]

TEXTS = [
    "She didn't sing (in the U.S.). No. 5 won't, e.g. \"today\" ... Right?! no :) Yes.",
    "DON'T call 555-0123 and/or write to a@b.org, http://x.org/?q=1,2: dunno... it's 5km/7:30PM!!!",
    "Pre-war co-operation, naïve-ish Ünïcode 🦊🦊 ❤️ d o ’tis\ufeffx\x1fy\u200b so\u00adft "
    "K-pop K-pop ŚŁ. a.B 'Cause",
    "Minutes\n\nAll were present.\r\nNobody spoke.\n"
    + "A long line that is wrapped, " * 3
    + "\nand on.",
    f"{'x' * 600}! {'!?' * 40} {'a-' * 60} \u2028 Dr. No. Next",
    '"Is it true?" Ms. Okafor asked. "No!" He left. “Why?” Dr. D’Arcy-Hu said.',
    "1. One. 2) Two: (a. b) 8) $5 US$7 A+ 60's 'n' gonna cannot I'mma.\tEnd",
]


def run(folder: Path, body: str, values: Any) -> Any:
    """What a function's body with modules `t` and `d` returns for `values`."""
    script = folder / "script.mjs"
    script.write_text(
        f"""import {{ readFileSync }} from "node:fs";
import * as t from {json.dumps((ROOT / "browser/tokenizer.js").as_uri())};
import * as d from {json.dumps((ROOT / "browser/decoding.js").as_uri())};
const values = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify((() => {{ {body} }})()));""",
        encoding="utf-8",
    )
    found = subprocess.run(
        [str(NODE), str(script)], input=json.dumps(values), capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


def test_tokens_and_sentences(tmp_path: Path) -> None:
    rng = numpy.random.default_rng(0)
    characters = list("aAbBzZ019.,!?-'’\"()[]{}:;/@#$%&*+=_~…–— \n°²é ßИ中🦊Iİı")
    words = " ".join(TEXTS).split()
    texts = [
        *TEXTS,
        *("".join(rng.choice(characters, rng.integers(1, 25))) for _ in range(500)),
        *(rng.choice(["", " ", "\n"]).join(rng.choice(words, 9).tolist()) for _ in range(500)),
    ]
    body = """const tokenizer = new t.Tokenizer(values.rules);
      return values.texts.map((text) => tokenizer.sentences(text));"""
    found = run(tmp_path, body, {"rules": tokenizer_rules(), "texts": texts})
    for text, sentences in zip(texts, found, strict=True):
        expected = RawTextTokenizer().sentences(text, max_words=10_000)
        assert sentences == [words_at(text, sentence) for sentence in expected], text


def test_trees(tmp_path: Path) -> None:
    rng = numpy.random.default_rng(0)
    scores = [rng.normal(size=(n, n)).astype(numpy.float32) for n in range(1, 30)]
    labels = [rng.normal(size=(len(rows), 4)).astype(numpy.float32) for rows in scores]
    body = """return values.map(([rows, labels, root]) => {
      const heads = d.decodeHeads(rows);
      return [heads, d.decodeHeadTags(labels.map((row) => Float32Array.from(row)), heads, root)];
    });"""
    roots = [None if len(rows) % 3 == 0 else 2 for rows in scores]
    values = [[s.tolist(), o.tolist(), r] for s, o, r in zip(scores, labels, roots, strict=True)]
    for found, rows, logits, root in zip(
        run(tmp_path, body, values), scores, labels, roots, strict=True
    ):
        heads = decode_heads(rows[None], numpy.array([len(rows)]), "mst")
        tags = decode_head_tags(logits[None], heads, root)
        assert found == [heads[0].tolist(), tags[0].tolist()]


def test_tags(tmp_path: Path) -> None:
    names = LabelNames({"joint_tags": ["NN", "VB", "VB:predicate", "NN:predicate"]})
    logits = numpy.random.default_rng(0).normal(size=(50, 4)).astype(numpy.float32)
    model = {
        "pos": names.pos,
        "pos_of_joint": names.pos_of_joint,
        "is_predicate": names.is_predicate,
    }
    body = "return d.decodeTags(values.rows, values.model);"
    found = run(tmp_path, body, {"rows": logits.tolist(), "model": model})
    joint = softmax(logits)
    pos = numpy.stack([joint[:, [0, 3]].sum(1), joint[:, [1, 2]].sum(1)], axis=1)
    assert [token["tag"] for token in found] == pos.argmax(1).tolist()
    probabilities = [token["probability"] for token in found]
    numpy.testing.assert_allclose(probabilities, joint[:, 2:].sum(1), rtol=1e-5)


@pytest.mark.parametrize(
    "least, well_formed", [((0.0, 0.0), False), ((0.6, 0.4), False), ((0.3, 0.3), True)]
)
def test_roles(least: Tuple[float, float], well_formed: bool, tmp_path: Path) -> None:
    rng = numpy.random.default_rng(0)
    roles = ["O", "B-V", *(f"{p}-{r}" for r in ("A0", "C-A0", "TMP") for p in "BI"), "B-R-A0"]
    constraints = LabelNames({"role_labels": roles}).role_constraints
    size = len(roles)
    parts = (rng.normal(size=s).astype(numpy.float32) for s in (size, (size, size), size))
    chain = constraints.constrain(LinearChain(*parts))
    frames = [(2 * rng.normal(size=(n, size)), n // 2) for n in range(1, 40)]
    model = {
        "roles": roles,
        "chain": chain_in_json(chain),
        "role_temperature": 1.5,
        "min_probability": least[0],
        "min_core_probability": least[1],
        "well_formed_frames": well_formed,
    }
    body = """const decoder = new d.RoleDecoder(values.model);
      return values.frames.map(([rows, predicate]) =>
        decoder.decode(rows.map((row) => Float32Array.from(row)), predicate));"""
    values = {"model": model, "frames": [[rows.tolist(), p] for rows, p in frames]}
    for found, (rows, predicate) in zip(run(tmp_path, body, values), frames, strict=True):
        logits, lengths = rows[None].astype(numpy.float32), numpy.array([len(rows)])
        constraints.force_verb(logits, numpy.array([predicate]))
        decoder = ChainDecoder(chain)
        labels = decoder.decode(logits, lengths)
        if well_formed:
            is_given = numpy.zeros(labels.shape, bool)
            WellFormedFrames(roles).repair_labels(logits, labels, lengths, is_given, decoder)
        spans = span_marginals(logits, labels, lengths, chain, constraints.continuing, 1.5)
        tags = [roles[label] for label in labels[0].tolist()]
        limits = [least["A0" in tag] for tag in tags]
        assert found == without_arguments(tags, spans[0] < limits)
