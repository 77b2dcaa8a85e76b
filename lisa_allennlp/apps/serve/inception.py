"""
Suggestions for INCEpTION, where people annotate: its protocol of external recommenders.

INCEpTION sends a document as a CAS of UIMA (XMI, and the XML of its types), and names the layer and
the feature that it wants suggestions for. The answer is the CAS with an annotation per suggestion.
"""

import asyncio
import re
from collections import deque
from contextlib import contextmanager
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import BaseModel, Field

from lisa_allennlp.apps.serve.labelling import LabellingService
from lisa_allennlp.apps.serve.middleware import in_time
from lisa_allennlp.common.json_values import shown
from lisa_allennlp.common.user_errors import check_installed
from lisa_allennlp.sentence.roles import VERB

_CORE = "de.tudarmstadt.ukp.dkpro.core.api"
SENTENCE = f"{_CORE}.segmentation.type.Sentence"
TOKEN = f"{_CORE}.segmentation.type.Token"
ARGUMENT, LINK = (f"{_CORE}.semantics.type.{name}" for name in ("SemArg", "SemArgLink"))
_SENTENCE_TAG = re.compile(r"<[\w.-]+:Sentence\b")


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
    """A label for the words from `start` to `end`. An arc also has its head, a link its target."""

    label: str
    probability: Optional[float]
    start: int
    end: int
    head: Optional[int] = None
    target: Optional[Tuple[int, int]] = None


def inception_router(service: LabellingService) -> APIRouter:
    """Needs `dkpro-cassis`."""
    router = APIRouter()

    @router.post("/inception/predict", summary="Suggest annotations to INCEpTION")
    async def predict(request: Request, asked: InceptionInput) -> InceptionAnswer:
        """
        Words and sentences are those of the document. A sentence that cannot be labelled has no
        suggestions.
        """
        return await in_time(request, suggested(asked), service.limits.time_limit)

    async def suggested(asked: InceptionInput) -> InceptionAnswer:
        suggest = _suggestions(asked.metadata)
        number, most = len(_SENTENCE_TAG.findall(asked.document.xmi)), service.limits.max_sentences
        if number > most:
            expected = f"at most {most:,} (lisa serve --max-sentences)"
            raise HTTPException(413, f"found {number:,} sentences; expected {expected}")
        check_installed("cassis")
        document = await asyncio.to_thread(_Document, asked)
        answers = await service.label(document.inputs, service.info.has_probabilities)
        found = [[] if "error" in answer else [*suggest(answer)] for answer in answers]
        return InceptionAnswer(document=await asyncio.to_thread(document.with_suggestions, found))

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


def _links(answer: Mapping[str, Any]) -> Iterator[Suggestion]:
    for frame in answer["verbs"]:
        for found in _roles({"verbs": [frame]}):
            word, target = frame["index"], (found.start, found.end)
            yield found._replace(start=word, end=word, target=target)


_SUGGESTIONS = {
    (f"{_CORE}.lexmorph.type.pos.POS", "PosValue"): _tags("pos"),
    (f"{_CORE}.lexmorph.type.pos.POS", "coarseValue"): _tags("upos"),
    (f"{_CORE}.segmentation.type.Lemma", "value"): _tags("lemmas"),
    (f"{_CORE}.syntax.type.dependency.Dependency", "DependencyType"): _arcs,
    (f"{_CORE}.semantics.type.SemPred", "category"): _senses,
    (f"{_CORE}.semantics.type.SemPred", "arguments"): _links,
}
"""What is suggested for the features of INCEpTION's own layers."""

ROLE = "role"
"""The feature of a layer of one's own that has spans of roles."""


def _suggestions(metadata: Metadata) -> Callable[[Mapping[str, Any]], Iterator[Suggestion]]:
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


class _Document:
    """The CAS of a request. Links join existing annotations: INCEpTION drops others."""

    def __init__(self, asked: InceptionInput) -> None:
        import cassis

        self._layer, self._feature = asked.metadata.layer, asked.metadata.feature
        try:
            types = cassis.load_typesystem(asked.type_system)
            self._cas = cassis.load_cas_from_xmi(asked.document.xmi, types)
            self._tokens = [*filter(None, _tokens_of_sentences(self._cas))]
            words = [[t.get_covered_text() for t in tokens] for tokens in self._tokens]
        # Those of lxml and cassis have no class of their own in common.
        except Exception as error:
            found = shown(str(error), 200)
            raise HTTPException(422, f"`document`: {found}; expected the XMI of a CAS") from error
        layer = types.get_type(self._layer) if types.contains_type(self._layer) else None
        feature = None if layer is None else layer.get_feature(self._feature)
        if layer is None or feature is None:
            found = f"found the feature {shown(self._feature, 80)} of {shown(self._layer, 120)}"
            raise HTTPException(422, f"`metadata`: {found}; expected one in `typeSystem`")
        self.inputs: List[Dict[str, Any]] = [{"tokens": tokens} for tokens in words]
        if _SUGGESTIONS.get((self._layer, self._feature)) is _links:
            with self._suitable():
                self._targets = {(a.begin, a.end): a for a in self._cas.select(ARGUMENT)}
                owners = {(a.begin, a.end) for a in self._cas.select(layer)}
            for own, tokens in zip(self.inputs, self._tokens, strict=True):
                places = ((token.begin, token.end) for token in tokens)
                own["predicates"] = [i for i, place in enumerate(places) if place in owners]

    @contextmanager
    def _suitable(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            found = f"found that {shown(self._layer, 120)} cannot have suggestions"
            expected = "a layer as INCEpTION makes it"
            message = f"`metadata`: {found} ({shown(str(error), 200)}); expected {expected}"
            raise HTTPException(422, message) from error

    def with_suggestions(self, suggestions: Sequence[Sequence[Suggestion]]) -> str:
        with self._suitable():
            for tokens, found in zip(self._tokens, suggestions, strict=True):
                for suggestion in found:
                    self._add(tokens, suggestion)
            return self._cas.to_xmi()

    def _add(self, tokens: Sequence[Any], suggestion: Suggestion) -> None:
        types = self._cas.typesystem
        layer, feature = types.get_type(self._layer), self._feature
        label, probability, start, end, head, link = suggestion
        values = {feature: label, "begin": tokens[start].begin, "end": tokens[end].end}
        values["inception_internal_predicted"] = True
        if layer.get_feature(f"{feature}_score") is not None and probability is not None:
            values[f"{feature}_score"] = probability
        if head is not None:
            values.update(Governor=tokens[head], Dependent=tokens[start])
        if link is not None:
            target = self._targets.get((tokens[link[0]].begin, tokens[link[1]].end))
            if target is None:
                return
            elements = [types.get_type(LINK)(role=label, target=target)]
            values[feature] = types.get_type("uima.cas.FSArray")(elements=elements)
        self._cas.add(layer(**values))


def _tokens_of_sentences(cas: Any) -> Iterator[List[Any]]:
    waiting, end = deque(cas.select(TOKEN)), 0
    for sentence in cas.select(SENTENCE):
        found = []
        while waiting and waiting[0].begin < sentence.end:
            token = waiting.popleft()
            if max(end, sentence.begin) <= token.begin < token.end <= sentence.end:
                found.append(token)
                end = token.end
        yield found
