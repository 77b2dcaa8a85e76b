"""
Suggestions for INCEpTION, where people annotate: its protocol of external recommenders.

INCEpTION sends a document as a CAS of UIMA (XMI, and the XML of its types), and names the layer and
the feature that it wants suggestions for. The answer is the CAS with an annotation per suggestion.
"""

import asyncio
from typing import (
    Any,
    Callable,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

from fastapi import APIRouter, HTTPException, Response
from pydantic import BaseModel, Field

from lisa_allennlp.common.user_errors import check_installed
from lisa_allennlp.data.formats.roles import VERB
from lisa_allennlp.data.json_values import shown
from lisa_allennlp.service.labelling import LabellingService

PATHS = ("/inception/predict", "/inception/train")

_CORE = "de.tudarmstadt.ukp.dkpro.core.api"
SENTENCE = f"{_CORE}.segmentation.type.Sentence"
TOKEN = f"{_CORE}.segmentation.type.Token"


class Metadata(BaseModel):
    """What is asked for."""

    layer: str = Field(description="The full name of a type of UIMA.")
    feature: str


class CasDocument(BaseModel):
    xmi: str


class InceptionInput(BaseModel):
    """A request of INCEpTION, which also has keys that are not read."""

    metadata: Metadata
    document: CasDocument
    type_system: str = Field(alias="typeSystem")


class InceptionAnswer(BaseModel):
    document: str = Field(description="The CAS with the suggestions, as XMI.")


class Suggestion(NamedTuple):
    """A label for the words from `start` to `end`, and where it is an arc the head of the word."""

    label: str
    probability: Optional[float]
    start: int
    end: int
    head: Optional[int] = None


def inception_router(service: LabellingService) -> APIRouter:
    """Makes the paths, which need `dkpro-cassis`."""
    router = APIRouter()

    @router.post("/inception/predict", summary="Suggest annotations to INCEpTION")
    async def predict(asked: InceptionInput) -> InceptionAnswer:
        """
        Words and sentences are those of the document. A sentence that cannot be labelled has no
        suggestions.
        """
        suggest = _suggestions(asked.metadata)
        cas, sentences = await asyncio.to_thread(_read, asked)
        words = [{"tokens": [t.get_covered_text() for t in tokens]} for tokens in sentences]
        answers = await service.label(words, service.info.has_probabilities)
        for tokens, answer in zip(sentences, answers, strict=True):
            if "error" not in answer:
                _add(cas, asked.metadata, tokens, suggest(answer))
        return InceptionAnswer(document=await asyncio.to_thread(cas.to_xmi))

    @router.post("/inception/train", summary="Learn nothing", status_code=204)
    async def train() -> Response:
        """INCEpTION sends its annotations before it asks for suggestions; they teach nothing."""
        return Response(status_code=204)

    return router


def _tags(name: str) -> Callable[[Mapping[str, Any]], Iterator[Suggestion]]:
    def suggest(answer: Mapping[str, Any]) -> Iterator[Suggestion]:
        probabilities = answer.get(f"{name}_probabilities")
        for word, tag in enumerate(answer[name]):
            yield Suggestion(tag, probabilities and probabilities[word], word, word)

    return suggest


def _arcs(answer: Mapping[str, Any]) -> Iterator[Suggestion]:
    probabilities = answer.get("head_probabilities")
    tags = answer["predicted_dependencies"]
    for word, (head, tag) in enumerate(zip(answer["predicted_heads"], tags, strict=True)):
        # The root is its own head there.
        head = head - 1 if head else word
        yield Suggestion(tag, probabilities and probabilities[word], word, word, head)


def _senses(answer: Mapping[str, Any]) -> Iterator[Suggestion]:
    for frame in answer["verbs"]:
        word = frame["index"]
        yield Suggestion(frame["sense"], frame.get("sense_probability"), word, word)


def _roles(answer: Mapping[str, Any]) -> Iterator[Suggestion]:
    for frame in answer["verbs"]:
        spans = frame["spans"]
        probabilities = frame.get("span_probabilities") or [None] * len(spans)
        for (role, start, end), probability in zip(spans, probabilities, strict=True):
            if role != VERB:
                yield Suggestion(role, probability, start, end)


_SUGGESTIONS = {
    (f"{_CORE}.lexmorph.type.pos.POS", "PosValue"): _tags("pos"),
    (f"{_CORE}.lexmorph.type.pos.POS", "coarseValue"): _tags("upos"),
    (f"{_CORE}.segmentation.type.Lemma", "value"): _tags("lemmas"),
    (f"{_CORE}.syntax.type.dependency.Dependency", "DependencyType"): _arcs,
    (f"{_CORE}.semantics.type.SemPred", "category"): _senses,
}
"""What is suggested for the features of INCEpTION's own layers."""

ROLE = "role"
"""The feature of a layer of one's own that has spans of roles."""


def _suggestions(metadata: Metadata) -> Callable[[Mapping[str, Any]], Iterator[Suggestion]]:
    """Finds suggestions in answers."""
    layer, feature = metadata.layer, metadata.feature
    found = _SUGGESTIONS.get((layer, feature), _roles if feature == ROLE else None)
    if found is None:
        known = ", ".join(f"{name} of {full.rpartition('.')[2]}" for full, name in _SUGGESTIONS)
        raise HTTPException(
            422,
            f"`metadata`: found the feature {shown(feature, 80)} of {shown(layer, 120)}; expected "
            f"{known}, or {ROLE} of a layer of spans",
        )
    return found


def _read(asked: InceptionInput) -> Tuple[Any, List[List[Any]]]:
    """The CAS, and the tokens of its sentences."""
    check_installed("cassis")
    import cassis

    layer, feature = asked.metadata.layer, asked.metadata.feature
    try:
        types = cassis.load_typesystem(asked.type_system)
        cas = cassis.load_cas_from_xmi(asked.document.xmi, types)
    # Those of lxml and cassis have no class of their own in common.
    except Exception as error:
        found = shown(str(error), 200)
        raise HTTPException(422, f"`document`: {found}; expected the XMI of a CAS") from error
    if not types.contains_type(layer) or types.get_type(layer).get_feature(feature) is None:
        found = f"found the feature {shown(feature, 80)} of {shown(layer, 120)}"
        raise HTTPException(422, f"`metadata`: {found}; expected one in `typeSystem`")
    tokens = (cas.select_covered(TOKEN, sentence) for sentence in cas.select(SENTENCE))
    return cas, [found for found in tokens if found]


def _add(cas: Any, metadata: Metadata, tokens: Sequence[Any], found: Iterable[Suggestion]) -> None:
    """Adds suggestions for a sentence to the CAS."""
    layer, feature = cas.typesystem.get_type(metadata.layer), metadata.feature
    scored = layer.get_feature(f"{feature}_score") is not None
    for label, probability, start, end, head in found:
        values = {feature: label, "begin": tokens[start].begin, "end": tokens[end].end}
        values["inception_internal_predicted"] = True
        if scored and probability is not None:
            values[f"{feature}_score"] = probability
        if head is not None:
            values.update(Governor=tokens[head], Dependent=tokens[start])
        cas.add(layer(**values))
