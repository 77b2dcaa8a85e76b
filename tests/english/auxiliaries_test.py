import re
from dataclasses import replace

import pytest

import lisa_allennlp
from lisa_allennlp.english.auxiliaries import ROLESETS, without_auxiliaries
from lisa_allennlp.sentence.roles import UNKNOWN
from lisa_allennlp.text.propbank_frames import packaged_inventory

KEPT = {
    "He has been sold out.": ["sold"],
    "Did you go? I do not know.": ["go", "know"],
    "She can swim.": ["swim"],
    "It is a dog.": ["is"],
    "There is a problem.": ["is"],
    "They are going to sell it.": ["sell"],
    "He had had three dogs.": ["had"],
    "She has to leave.": ["leave"],
    "He got fired.": ["fired"],
    "They took a walk.": ["took", "walk"],
}


def test_rolesets_are_propbanks_auxiliaries_which_have_no_roles() -> None:
    found = {r.sense: r for r in packaged_inventory() if not r.roles}
    named = {s for s, r in found.items() if re.match("auxiliary|modal", r.gloss or "")}
    assert named <= ROLESETS <= found.keys()


@pytest.mark.parametrize("knows_rolesets", [True, False])
def test_predicates_with_a_meaning_stay(knows_rolesets: bool) -> None:
    """Without rolesets, the trees tell; semi-modals are then heads of their verbs and stay."""
    lisa = lisa_allennlp.load("english-fast")
    for document, kept in zip(lisa.documents(list(KEPT)), KEPT.values(), strict=True):
        found = []
        for sentence in document:
            if not knows_rolesets:
                frames = [replace(f, sense=UNKNOWN) for f in sentence.frames]
                sentence = replace(sentence, frames=frames)
            found += [frame.verb for frame in without_auxiliaries(sentence).frames]
        semi_modals = set() if knows_rolesets else {"going", "has"}
        assert [verb for verb in found if verb not in semi_modals] == kept
