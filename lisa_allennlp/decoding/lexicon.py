"""What the package knows of a language beside what a network has learnt."""

from pathlib import Path
from typing import Any, Dict, Mapping, NamedTuple, Optional

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.log_linear import LogLinear, open_arrays
from lisa_allennlp.decoding.sense_topics import SenseTopics

ENGLISH = "english"

FOLDER = Path(__file__).parents[1] / "pretrained"

FILES = {
    "arcs": FOLDER / "tree_context.npz",
    "tags": FOLDER / "tag_context.npz",
    "predicates": FOLDER / "predicate_context.npz",
    "senses": FOLDER / "sense_context.npz",
    "roles": FOLDER / "role_context.npz",
    "topics": FOLDER / "sense_topics.npz",
}
"""Of the fields of a `Lexicon`."""

_OLDER_KEYS = ("sense_inventory", "sense_context", "role_context", "token_context")


class Lexicon(NamedTuple):
    """
    The weights of `contexts`, fitted on the English Web Treebank: of the arcs of trees, in one
    column, since their features name the labels; of tags, with a column for each; of predicates
    (`no`, `yes`); of rolesets, in one column, since each feature begins with its roleset; of roles,
    with a column for each role (`ARG0`, `ARGM-TMP`) and for each function (`PAG`, `GOL`) that
    PropBank gives the numbered roles of a roleset; and the topics of rolesets. PropBank's inventory
    of rolesets comes with them.
    """

    arcs: LogLinear
    tags: LogLinear
    predicates: LogLinear
    senses: LogLinear
    roles: LogLinear
    topics: SenseTopics


def open_lexicon(name: Optional[str]) -> Optional[Lexicon]:
    if name not in (None, ENGLISH):
        raise ConfigurationError(f"lexicon: found {name!r}; expected '{ENGLISH}'")
    if name is None:
        return None
    kinds = Lexicon.__annotations__
    return Lexicon(**{field: open_arrays(kinds[field], path) for field, path in FILES.items()})


def with_lexicon(config: Mapping[str, Any]) -> Dict[str, Any]:
    """
    Returns the options of a model in which `lexicon` stands for four keys of older configs, each
    of which named a part of that of English.
    """
    found = {key: value for key, value in config.items() if key not in _OLDER_KEYS}
    if any(config.get(key) is not None for key in _OLDER_KEYS):
        found.setdefault("lexicon", ENGLISH)
    return found
