"""
Makes the component `lisa`, and finds noun chunks in its trees. spaCy imports this module for every
pipeline, so it imports nothing large.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Iterator, Literal, Optional, Tuple, Union

from spacy.errors import Errors
from spacy.language import Language
from spacy.symbols import NOUN, PRON, PROPN
from spacy.tokens import Doc, Span, Token

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk import pretrained

if TYPE_CHECKING:
    from lisa_allennlp.apps.spacy.component import LisaComponent

_BEFORE = frozenset(
    "amod compound det det:predet flat nmod:desc nmod:poss nummod nn num poss predet".split()
)
"""Labels before the head of a phrase."""

_AFTER = frozenset(["flat", "goeswith"])
"""Labels after the head, such as surnames."""

_NO_HEAD = frozenset("advmod case cc discourse expl fixed mark punct".split())


@Language.factory(
    "lisa",
    assigns="doc._.frames doc.spans token._.frame token.tag token.pos token.lemma token.head "
    "token.dep".split(),
    default_config={
        "model": None,
        "set_tags": True,
        "parse": "lisa",
        "spans_key": "srl",
        "probabilities": False,
        "min_probability": None,
        "adaptation": None,
        "auxiliaries": True,
        "frames": None,
        "engine": None,
        "precision": None,
        "device": "cpu",
        "max_tokens": 2000,
    },
    default_score_weights={"srl_f": 1.0, "srl_p": None, "srl_r": None},
)
def make_lisa(
    nlp: Language,
    name: str,
    model: Optional[str],
    set_tags: bool,
    parse: Optional[Literal["lisa", "doc"]],
    spans_key: Optional[str],
    probabilities: bool,
    min_probability: Optional[float],
    adaptation: Optional[str],
    auxiliaries: bool,
    frames: Optional[str],
    engine: Optional[str],
    precision: Optional[str],
    device: str,
    max_tokens: int,
) -> "LisaComponent":
    """
    Makes the component of a config; the options are those of `LisaComponent` and of
    `lisa_allennlp.load`. A missing model is an error only when the component is first used, because
    `from_disk` may replace it.
    """
    from lisa_allennlp.apps.spacy.component import LisaComponent

    chosen = model or pretrained.DEFAULT
    if nlp.lang != "en" and chosen in pretrained.names() and not pretrained.is_model_file(chosen):
        raise ConfigurationError(
            f"[{name}] found a pipeline for '{nlp.lang}'; expected 'en', the language of {chosen}"
        )
    options = dict(
        probabilities=probabilities,
        min_probability=min_probability,
        adaptation=adaptation,
        auxiliaries=auxiliaries,
        frames=frames,
        engine=engine,
        precision=precision,
        device=device,
        max_tokens=max_tokens,
    )
    component = LisaComponent(name, model, set_tags, parse, spans_key, options)
    if nlp.lang == "en" and parse == "lisa":
        # For all Docs of the pipeline, also those of its processes and from files.
        # spaCy's stub says that these functions yield spans.
        nlp.vocab.get_noun_chunks = noun_chunks  # type: ignore[assignment]
    try:
        component.load()
    except ConfigurationError:
        if model is None or Path(model).exists():
            raise
    return component


def noun_chunks(doclike: Union[Doc, Span]) -> Iterator[Tuple[int, int, int]]:
    """
    Yields the start, the end (exclusive) and the label of each base noun phrase, for
    `Doc.noun_chunks` of English Docs with trees of Universal or Stanford Dependencies. spaCy's own
    iterator expects other labels, and takes a preposition before a noun for a part of its phrase.
    """
    if not doclike.doc.has_annotation("DEP"):
        raise ValueError(Errors.E029)
    label = doclike.doc.vocab.strings.add("NP")
    end = 0
    for word in doclike:
        if word.i >= end and word.pos in (NOUN, PRON, PROPN) and _is_head(word):
            start, end = max(end, _start(word)), _end(word)
            yield start, end, label


def _is_head(word: Token) -> bool:
    while word.dep_ == "conj" and word.head.i < word.i:
        word = word.head
    return word.dep_ not in _BEFORE | _AFTER | _NO_HEAD


def _start(word: Token) -> int:
    start = word.i
    for child in reversed(list(word.lefts)):
        if child.dep_ in _BEFORE:
            start = child.left_edge.i
        elif child.dep_ != "punct":
            break
    # A preposition may be attached to a possessor.
    while word.doc[start].dep_ in ("case", "cc", "mark", "punct"):
        start += 1
    return start


def _end(word: Token) -> int:
    end = word.i + 1
    for child in word.rights:
        if child.dep_ not in _AFTER:
            break
        end = child.i + 1
    return end
