"""
Writes the page of `lisa serve` as a folder of files that need no server but one for files, with
recorded answers for a few sentences: as they are, and with each head or predicate changed.

    python -m scripts.demo.build [--model english] FOLDER
"""

import argparse
import gzip
import json
import re
import shutil
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import lisa_allennlp
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.service import DEFAULTS
from lisa_allennlp.service.app import PAGE, draw
from lisa_allennlp.service.schemas import DrawInput, InfoAnswer
from lisa_allennlp.version import VERSION
from lisa_allennlp.visualisation.theme import page_stylesheet

WIDTHS = (330, 900)
"""The widths of the pictures, in pixels: those of `recorded.js`."""

HERE = Path(__file__).parent


def examples() -> List[str]:
    """The sentences that the page offers."""
    found = re.search(r"const EXAMPLES = (\[.*?\]);", (PAGE / "page.js").read_text(), re.DOTALL)
    assert found
    return json.loads(re.sub(r",\s*\]", "]", found[1]))


def record(lisa: Labeller, name: str, texts: List[str]) -> Dict[str, Any]:
    """Returns the answers by the keys of `recorded.js`."""
    info = InfoAnswer(
        model=name,
        version=VERSION,
        has_parse=True,
        reads_text=True,
        has_attention=False,
        has_probabilities=False,
        predicts_senses=True,
        formats=[],
        head_tags=lisa.head_tags,
        max_words=DEFAULTS.max_words,
        max_bytes=DEFAULTS.max_bytes,
    )
    found: Dict[str, Any] = {"info": info.model_dump()}
    for text in texts:
        document = lisa.document(text).to_dict()
        found[f"label {text}"] = document
        for own in document["sentences"]:
            found.update(_drawn(own, None))
            for asked in _edits(own):
                answer = lisa({"allow_cycles": True, **asked}).to_dict()
                found[f"label {_key(*map(asked.get, KEYS))}"] = answer
                found.update(_drawn(answer, own))
    return found


KEYS = ("tokens", "head_indices", "predicates")


def _edits(own: Dict[str, Any]) -> Iterator[Dict[str, Any]]:
    """The requests of the page for a sentence with a head or a predicate changed."""
    words, heads, predicates = own["words"], own["predicted_heads"], own["predicates"]
    for token, own_head in enumerate(heads):
        for head in {*range(len(words) + 1)} - {own_head, token + 1}:
            changed = [*heads[:token], head, *heads[token + 1 :]]
            yield {"tokens": words, "head_indices": changed}
        yield {"tokens": words, "predicates": sorted({*predicates} ^ {token})}


def _drawn(answer: Dict[str, Any], other: Optional[Dict[str, Any]]) -> Iterator[Any]:
    parts = [
        answer[key] for key in ("words", "predicted_heads", "predicted_dependencies", "predicates")
    ]
    for width in WIDTHS:
        asked = {"answer": answer, "other": other, "overlay": True, "width": width, "theme": None}
        yield f"draw {_key(*parts, other is not None, width)}", draw(DrawInput(**asked))


def _key(*parts: Any) -> str:
    """The same text as `JSON.stringify` makes."""
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def build(lisa: Labeller, name: str, texts: List[str], folder: Path) -> None:
    """Writes the page, with answers for some texts."""
    static = folder / "static"
    shutil.copytree(PAGE, static, dirs_exist_ok=True)
    shutil.copy(HERE / "recorded.js", static)
    (static / "pictures.css").write_text(page_stylesheet(), encoding="utf-8")
    recording = json.dumps(record(lisa, name, texts), ensure_ascii=False).encode()
    (static / "recording.json.gz").write_bytes(gzip.compress(recording, mtime=0))
    index = (static / "index.html").read_text(encoding="utf-8")
    (static / "index.html").unlink()
    script = '<script src="static/recorded.js"></script>\n</head>'
    (folder / "index.html").write_text(index.replace("</head>", script), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="english")
    args = parser.parse_args()
    build(lisa_allennlp.load(args.model), args.model, examples(), args.folder)
    print(f"python -m http.server --directory {args.folder}")
