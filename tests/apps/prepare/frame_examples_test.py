import hashlib
from pathlib import Path
from typing import List

import pytest

from lisa_allennlp.apps.prepare import frame_examples
from lisa_allennlp.apps.prepare.frame_examples import (
    FrameExamples,
    example_digest,
)


def write(folder: Path, *examples: str, sense: str = "hang_up.03") -> Path:
    body = "".join(f"<example>{example}</example>" for example in examples)
    text = f'<frameset><roleset id="{sense}" name="x">{body}</roleset></frameset>'
    (folder / "hang.xml").write_text(text)
    return folder


def example(text: str, verb: str, **arguments: str) -> str:
    """`m_tmp` is an argument with n="m" and f="tmp"; `a0` has n="0"."""
    roles = [(role.partition("_"), argument) for role, argument in arguments.items()]
    elements = [
        f'<arg n="{number.removeprefix("a")}" f="{function}">{argument}</arg>'
        for (number, _, function), argument in roles
    ]
    return f"<text>{text}</text>{''.join(elements)}<rel>{verb}</rel>"


@pytest.mark.parametrize(
    "xml, expected",
    [
        (
            example("John didn't hang up quickly.", "hang up", a0="John", m_mnr="quickly"),
            "John/B-ARG0 did n't hang/B-V up/I-V quickly/B-ARGM-MNR .",
        ),
        # Pieces of a verb and of an argument, in brackets or further right.
        (example("She hung it up.", "[hung][up]", a0="she"), "She/B-ARG0 hung/B-V it up/B-C-V ."),
        (example("She hung it up.", "hung up"), "She hung/B-V it up/B-C-V ."),
        (
            example("Phones, he said, hung up.", "hung up", a1="[Phones][, he]", a0="said"),
            "Phones/B-ARG1 ,/B-C-ARG1 he/I-C-ARG1 said/B-ARG0 , hung/B-V up/I-V .",
        ),
        # Some files count auxiliaries to the verb.
        (
            example("It was hanging up.", "was hanging up", a0="It"),
            "It/B-ARG0 was hanging/B-V up/I-V .",
        ),
        # Traces in the text, and words that the treebank writes in another way.
        (
            example("They-1 want *PRO*-1 [a ``phone'']-2 to hang up.", "hang up", a1='a "phone"'),
            'They want a/B-ARG1 "/I-ARG1 phone/I-ARG1 "/I-ARG1 to hang/B-V up/I-V .',
        ),
        # The nearest of several places; one sentence of several.
        (
            example("He left. He, not he, hung up.", "hung up", a0="he"),
            "He , not he/B-ARG0 , hung/B-V up/I-V .",
        ),
    ],
)
def test_arguments_are_placed(tmp_path: Path, xml: str, expected: str) -> None:
    (one,) = FrameExamples(write(tmp_path, xml))
    shown: List[str] = [
        word if tag == "O" else f"{word}/{tag}"
        for word, tag in zip(one.words, one.tags, strict=True)
    ]
    assert " ".join(shown) == expected
    assert one.sense == "hang_up.03" and one.tags[one.predicate] == "B-V"


@pytest.mark.parametrize(
    "xml, reason",
    [
        (example("", "hung"), frame_examples.NO_TEXT),
        (example("He hung up.", "hung", a0="Anna"), frame_examples.NOT_FOUND),
        (example("He had to hang up.", "hang up", a1="to hang up"), frame_examples.NOT_FOUND),
        (example("He wants *PRO*-1 to hang up.", "hang", a0="*PRO*-1"), frame_examples.TRACE),
        (example("He hung up.", "hung", m="up"), frame_examples.OTHER_ROLE),
        (example("Do not use me!", "use"), frame_examples.LEFT_OUT),
    ],
)
def test_what_is_left_out_is_counted(tmp_path: Path, xml: str, reason: str) -> None:
    kept = hashlib.sha256(b"donotuseme").hexdigest()[:16]
    assert example_digest("Do NOT use me!") == kept
    examples = FrameExamples(write(tmp_path, xml), leave_out={kept})
    assert list(examples) == []
    assert examples.skipped == {reason: 1}
