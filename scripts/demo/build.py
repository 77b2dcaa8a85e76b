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
from typing import Any, Dict, Iterator, List
from urllib.parse import urlencode

import lisa_allennlp
from lisa_allennlp.data.corrections import Corrections, apply, request_for
from lisa_allennlp.data.meanings import meanings_of
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.service import DEFAULTS
from lisa_allennlp.service.app import PAGE, described_rolesets, frame_lines, picture
from lisa_allennlp.service.schemas import InfoAnswer, Picture
from lisa_allennlp.version import VERSION
from lisa_allennlp.visualisation.theme import page_stylesheet

WIDTHS = (330, 560)
"""The widths of the pictures, in pixels: those of `recorded.js`. The examples fit the last one."""

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
        meanings=meanings_of(relations=lisa.head_tags),
        max_words=DEFAULTS.max_words,
        max_bytes=DEFAULTS.max_bytes,
    )
    found: Dict[str, Any] = {"info": info.model_dump()}
    for text in texts:
        document = lisa.document(text)
        found[f"label {text}"] = document.to_dict()
        for own in document.sentences:
            for corrections in _edits(own):
                answer = found[f"edit {_key(own, corrections)}"] = _answer(lisa, own, corrections)
                for frame in answer["frames"]:
                    token = frame["predicate"]
                    word = own.words[token], answer["answer"]["pos"][token], frame["sense"] or ""
                    asked = urlencode(dict(zip(("word", "tag", "sense"), word, strict=True)))
                    found[f"rolesets?{asked}"] = described_rolesets(*word)
    return found


def _edits(own: Sentence) -> Iterator[Corrections]:
    """No correction, and each head or predicate changed."""
    yield Corrections(1)
    for token, own_head in enumerate(own.heads or []):
        for head in {*range(len(own.words) + 1)} - {own_head, token + 1}:
            yield Corrections(1, heads={token: head})
        yield Corrections(1, predicates={token: own.frame_at(token) is None})


def _answer(lisa: Labeller, own: Sentence, corrections: Corrections) -> Dict[str, Any]:
    """The answer of `/edit`, with a picture for each width."""
    asked = request_for(own, corrections)
    edited = apply(own, own if asked is None else lisa(asked), corrections)
    pictures = [
        picture(edited, own, Picture(overlay=True, width=width, theme=None)) for width in WIDTHS
    ]
    return {
        "answer": edited.to_dict(),
        "pictures": pictures,
        "frames": frame_lines(edited),
    }


def _key(own: Sentence, corrections: Corrections) -> str:
    """The same text as `JSON.stringify` makes."""
    known = {
        key: value for key, value in corrections._asdict().items() if value and key != "number"
    }
    return json.dumps([own.words, known], ensure_ascii=False, separators=(",", ":"))


def build(lisa: Labeller, name: str, texts: List[str], folder: Path) -> None:
    """Writes the page, with answers for some texts."""
    static = folder / "static"
    shutil.copytree(PAGE, static, dirs_exist_ok=True)
    shutil.copy(HERE / "recorded.js", static)
    (static / "pictures.css").write_text(page_stylesheet(), encoding="utf-8")
    recording = json.dumps(record(lisa, name, texts), ensure_ascii=False).encode()
    # Some servers unpack what is called `.gz`.
    (static / "recording.bin").write_bytes(gzip.compress(recording, mtime=0))
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
