"""
What labels mean, in a few words: the tags of the Penn Treebank and the universal ones, the
relations of Universal Dependencies, and PropBank's roles. The numbered roles of a roleset have
meanings of their own (`lisa_allennlp.text.propbank_frames`).

    >>> meaning_of_tag("VBD"), meaning_of_relation("nsubj:pass"), meaning_of_relation("fancy")
    ('verb, past tense', 'subject, passive', '')
    >>> meaning_of_role("ARGM-TMP"), meaning_of_role("R-AM-LOC"), meaning_of_role("ARG1-DSP")
    ('when', 'relative pronoun for: where', 'mostly who or what it is done to, direct speech')
    >>> meaning_of_role("C-ARG1", "thing sold"), meaning_of_role("V")
    ('continuation of: thing sold', 'predicate')
    >>> meaning_of_function("PPT")
    'patient'
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Dict, Iterable, Optional

from lisa_allennlp.sentence.roles import CONTINUATION, REFERENCE

_FILE = Path(__file__).with_name("label_meanings.json")

_PREFIXES = {CONTINUATION: "continuation of: ", REFERENCE: "relative pronoun for: "}

# CoNLL-2005 and PropBank have different names: A0 and ARG0, AM-TMP and ARGM-TMP.
_ROLE = re.compile(r"(C-|R-)?(?:A|ARG)?([0-9AV]|M)(?:-(\w+))?")


@cache
def _meanings() -> Dict[str, Dict[str, str]]:
    return json.loads(_FILE.read_text(encoding="utf-8"))


def meanings_of(
    tags: Iterable[str] = (), relations: Iterable[str] = (), roles: Iterable[str] = ()
) -> Dict[str, str]:
    """Leaves out unknown labels. No two kinds of labels have the same ones."""
    found = {label: meaning_of_role(label) for label in roles}
    found.update((label, meaning_of_relation(label)) for label in relations)
    found.update((label, meaning_of_tag(label)) for label in tags)
    return {label: meaning for label, meaning in found.items() if meaning}


def meaning_of_tag(tag: str) -> str:
    """Returns an empty string for an unknown tag, as all functions do for unknown labels."""
    return _meanings()["tags"].get(tag, "")


def meaning_of_relation(label: str) -> str:
    """Leaves out an unknown subtype."""
    relations, (relation, _, subtype) = _meanings()["relations"], label.partition(":")
    if label in relations or relation not in relations:
        return relations.get(label, "")
    return ", ".join(filter(None, [relations[relation], _meanings()["subtypes"].get(subtype)]))


def meaning_of_function(function: str) -> str:
    return _meanings()["functions"].get(function, "")


def meaning_of_role(role: str, gloss: Optional[str] = None) -> str:
    """The gloss is of the role without `C-` and `R-`."""
    match = _ROLE.fullmatch(role)
    prefix, kind, function = match.groups() if match else ("", "", "")
    names = [gloss or _meanings()["roles"].get(kind, ""), meaning_of_function(function or "")]
    meaning = ", ".join(filter(None, names))
    return _PREFIXES.get(prefix, "") + meaning if meaning else ""
