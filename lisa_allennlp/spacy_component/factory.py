"""
Makes the component `lisa`. spaCy imports this module for every pipeline, also for those without
LISA, so it imports nothing large.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Literal, Optional

from spacy.language import Language

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.spacy_component.noun_chunks import noun_chunks

if TYPE_CHECKING:
    from lisa_allennlp.spacy_component.component import LisaComponent


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
        "frames": None,
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
    frames: Optional[str],
    precision: Optional[str],
    device: str,
    max_tokens: int,
) -> "LisaComponent":
    """
    Makes the component of a config; the options are those of `LisaComponent` and of
    `lisa_allennlp.load`. A missing model is an error only when the component is first used, because
    `from_disk` may replace it.
    """
    from lisa_allennlp.spacy_component.component import LisaComponent

    chosen = model or pretrained.DEFAULT
    if nlp.lang != "en" and chosen in pretrained.names() and not pretrained.is_model_file(chosen):
        raise ConfigurationError(
            f"[{name}] found a pipeline for '{nlp.lang}'; expected 'en', the language of {chosen}"
        )
    options = dict(
        probabilities=probabilities,
        min_probability=min_probability,
        frames=frames,
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
