"""
Sentences whose frames, and events, were written down by PropBank's guidelines before a model ran.
"""

import json
from typing import Any, List

import pytest

import lisa_allennlp
from lisa_allennlp.models_on_disk import pretrained
from tests import ROOT

FRAMES = {"english": 107, "english-fast": 95}
"""Frames that are wholly right, of 142, some fewer than the models have."""

EVENTS = 178
"""Events of which what is said is right, of 200."""


def read(name: str) -> List[Any]:
    text = (ROOT / "fixtures" / "judged" / f"{name}.jsonl").read_text(encoding="utf-8")
    return list(map(json.loads, text.splitlines()))


@pytest.mark.parametrize("name", pretrained.names())
def test_frames(name: str) -> None:
    lisa, right = lisa_allennlp.load(name, auxiliaries=False), 0
    for judged in read("frames"):
        found = {frame.predicate: frame for frame in lisa({"tokens": judged["tokens"]}).frames}
        for frame in judged["frames"]:
            own = found.get(frame["index"])
            spans = [] if own is None else [[s.role, s.first, s.last] for s in own.arguments]
            is_right = own is not None and own.sense == frame["sense"]
            right += is_right and sorted(spans) == sorted(frame["args"])
    assert right >= FRAMES[name]


@pytest.mark.parametrize("name", pretrained.names())
def test_events(name: str) -> None:
    lisa, right = lisa_allennlp.load(name), 0
    for judged in read("events"):
        events = lisa(judged["text"]).events
        right += any(
            event.text.lower() == judged["predicate"].lower()
            and event.factuality in judged["factuality"]
            for event in events
        )
    assert right >= EVENTS
