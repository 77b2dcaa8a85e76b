"""Reads and labels the inputs of `/label`."""

import asyncio
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import (
    Any,
    Callable,
    Collection,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Tuple,
    Union,
)

from fastapi import HTTPException

from lisa_allennlp.apps.serve import Limits
from lisa_allennlp.apps.serve.batching import Batcher, Job
from lisa_allennlp.apps.serve.counters import Metrics
from lisa_allennlp.apps.serve.schemas import InfoAnswer
from lisa_allennlp.apps.serve.workers import (
    MOST_CHARACTERS,
    BatchLabeller,
    Labelled,
    Part,
    Workers,
)
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import bad_value
from lisa_allennlp.decoding.options import LabelOptions, Lesson
from lisa_allennlp.english.languages import UNIVERSAL_TAGS
from lisa_allennlp.formats.corrections import (
    KEY,
    Corrections,
    apply,
    check_corrections,
    corrections_of,
    request_for,
)
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.labelling.requests import DOCUMENT_KEY, WORD_KEYS
from lisa_allennlp.labelling.unknown_words import UnknownWords
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.models_on_disk.model_folder import digest_of_file, read_info
from lisa_allennlp.sentence.document import SENTENCES, Document
from lisa_allennlp.sentence.meanings import meanings_of
from lisa_allennlp.sentence.request import Request, requests_of
from lisa_allennlp.sentence.roles import CONTINUATION, VERB, is_roleset
from lisa_allennlp.sentence.sentence import EVENTS, Sentence
from lisa_allennlp.version import VERSION

OUTSIDE = "O"

Asked = Union[Request, Document, str]


class LabellingService:
    """Labels within limits, in a number of processes as for `Workers`."""

    def __init__(self, labeller: Labeller, limits: Limits, processes: int) -> None:
        self._labeller = labeller
        self.limits = limits
        self.metrics = Metrics()
        self._workers = Workers(BatchLabeller(labeller), processes, self.metrics)
        self._batcher = Batcher(self._workers.label, self._workers.number, self.metrics)
        path = Path(labeller.name).absolute()
        # All trained models have the same file name.
        name = path.parent.name if path.name == "model.tar.gz" else path.name
        model_version, model_sha256 = _version_and_digest(labeller.name)
        self.info = InfoAnswer(
            model=name,
            model_version=model_version,
            model_sha256=model_sha256,
            version=VERSION,
            has_parse=labeller.has_parse,
            reads_text=getattr(labeller, "pos_tags", None) is None,
            has_attention=labeller.has_probabilities and labeller.has_parse,
            has_probabilities=labeller.has_probabilities,
            predicts_senses=labeller.predicts_senses,
            formats=list(labeller.output_formats),
            head_tags=labeller.head_tags,
            pos_tags=sorted(labeller.engine.pos_tags or []),
            meanings=meanings_of(
                {*(labeller.engine.pos_tags or ()), *UNIVERSAL_TAGS},
                labeller.head_tags,
                labeller.roles,
            ),
            roles=[role for role in labeller.roles if role != VERB],
            max_words=limits.max_words,
            max_bytes=limits.max_bytes,
        )
        self._names = {
            "pos": self.info.pos_tags,
            "labels": self.info.head_tags,
            "upos": self.info.universal_tags,
            "roles": [*labeller.roles, OUTSIDE],
        }

    async def label(
        self,
        content: Any,
        probabilities: bool = False,
        attention: bool = False,
        events: bool = False,
        auxiliaries: Optional[bool] = None,
        notice: bool = False,
    ) -> Any:
        """
        Labels the body of `/label`. A list gets a list of answers and errors. Raises
        `HTTPException` if there is no answer.
        """
        asked_for = {"probabilities": probabilities, "attention": attention, "events": events}
        for name, is_asked in asked_for.items():
            needed = "attention" if name == "events" else name
            if is_asked and not getattr(self.info, f"has_{needed}"):
                expected = "a LISA or SA model" if name == "probabilities" else "a LISA model"
                raise HTTPException(422, f"found {name}=true; expected {expected} for it")
        contents = content if isinstance(content, list) else [content]
        inputs = await asyncio.to_thread(self._read_all, contents)
        good = [asked for asked in inputs if not isinstance(asked, str)]
        self.metrics.failed(len(inputs) - len(good))
        requests = [request for asked in good for request in requests_of(asked)]
        options = self._labeller.options_of(attention, probabilities or None, auxiliaries)
        results = iter(await self._label(requests, options))
        answers = [_answer(asked, results) for asked in inputs]
        if events:
            answers = await asyncio.to_thread(list, map(_with_events, inputs, answers))
        if notice:
            answers = list(map(self._with_notice, answers))
        if isinstance(content, list):
            return [{"error": a} if isinstance(a, str) else a for a in answers]
        if isinstance(answers[0], str):
            raise HTTPException(422, answers[0])
        return answers[0]

    def _with_notice(self, answer: Labelled) -> Labelled:
        if isinstance(answer, str):
            return answer
        words = UnknownWords(self._labeller.engine)
        for sentence in answer.get(SENTENCES, [answer]):
            words.add(sentence["words"])
        return {**answer, "notice": words.notice} if words.notice else answer

    async def edit(
        self,
        own: Sentence,
        corrections: Mapping[str, Any],
        given: Collection[str] = (),
        lesson: Optional[Lesson] = None,
        names: Optional[Callable[[str], Collection[str]]] = None,
    ) -> Sentence:
        """
        Returns the reading with corrections, given the sentence's `own` reading and the parts that
        people annotated. Asks the model only if it has to answer. Raises a `ConfigurationError` if
        the corrections do not fit, or if a label is neither the model's nor in `names(key)` (by
        default, the sentence's own labels). Other errors are those of `label`.
        """
        marked = replace(own, extra={KEY: {"number": 1, **corrections}})
        check_corrections("the sentence", None, marked)
        known = corrections_of(marked)
        assert known is not None
        self._check_labels(known, names or partial(labels_of, own))
        asked = request_for(own, known, given)
        answer = own if asked is None else await self.relabel(self._checked(asked), lesson)
        return apply(own, answer, known, given)

    def _check_labels(
        self, corrections: Corrections, names: Callable[[str], Collection[str]]
    ) -> None:
        for key, model in self._names.items():
            unknown = labels_in(key, getattr(corrections, key)) - {*model}
            # A model that has none says nothing of them.
            if model and unknown and (unknown := unknown - {*names(key)}):
                expected = f"one of {', '.join(sorted(model))}, or of the file's"
                raise bad_value(f"`{KEY}.{key}`", min(unknown), expected)
        for sense in corrections.senses.values():
            if not is_roleset(sense):
                raise bad_value(f"`{KEY}.senses`", sense, "a roleset such as `sell.01`")

    def _checked(self, request: Request) -> Request:
        if not isinstance(self._labeller, LisaLabeller):
            found = self._labeller.engine.description
            raise ConfigurationError(f"found a {found}; expected a LISA or SA model")
        self._labeller.check_given(request, {"head_indices": request.head_indices})
        return request

    async def relabel(self, request: Request, lesson: Optional[Lesson]) -> Sentence:
        options = self._labeller.options_of(False, self.info.has_probabilities)
        (found,) = await self._label([request], replace(options, adaptation=lesson), False)
        if isinstance(found, str):
            raise HTTPException(422, found)
        return found

    async def _label(
        self, requests: Sequence[Request], options: LabelOptions, as_records: bool = True
    ) -> List[Any]:
        # Offsets are known already, and answers do not have the text.
        bare = [replace(r, sentence=replace(r.sentence, text=None)) for r in requests]
        job = Job([Part(request, options, as_records) for request in bare])
        waiting, limit = self._batcher.waiting_before(job), self.limits.max_queue
        if waiting >= limit:
            expected = f"fewer than {limit:,} (lisa serve --max-queue)"
            message = f"found {waiting:,} sentences waiting; expected {expected}"
            raise HTTPException(429, message, {"Retry-After": "1"})
        return await self._batcher.label(job)

    def _read_all(self, contents: Sequence[Any]) -> List[Asked]:
        """Reads inputs, invalid ones too, until they have too many sentences."""
        most, sentences = self.limits.max_sentences, 0
        inputs: List[Asked] = []
        for content in contents:
            inputs.append(asked := self._read(content))
            sentences += 1 if isinstance(asked, str) else max(1, len(requests_of(asked)))
            if sentences > most:
                expected = f"at most {most:,} (lisa serve --max-sentences)"
                found = f"found {sentences:,} sentences or more"
                raise HTTPException(413, f"{found}; expected {expected}")
        return inputs

    def _read(self, content: Any) -> Asked:
        try:
            keys = content if isinstance(content, dict) else ()
            if not isinstance(content, str) and not {*WORD_KEYS, DOCUMENT_KEY} & {*keys}:
                expected = "raw text, or an object with `sentence`, `tokens` or `text`"
                raise bad_value("the input", content, expected)
            asked = self._labeller.read_any(content)
            longest = max((len(r.sentence.words) for r in requests_of(asked)), default=0)
            if longest > self.limits.max_words:
                raise ConfigurationError(
                    f"found a sentence of {longest:,} words; expected at most "
                    f"{self.limits.max_words:,} (lisa serve --max-words)"
                )
            return asked
        except ConfigurationError as error:
            return error.message[:MOST_CHARACTERS]

    def close(self) -> None:
        self._workers.close()


def labels_in(key: str, values: Mapping[Any, Any]) -> Set[str]:
    if key != "roles":
        return {*values.values()}
    spans = (span for of_predicate in values.values() for span in of_predicate)
    return {role.removeprefix(CONTINUATION) for role, *_ in spans}


def labels_of(sentence: Sentence, key: str) -> Set[str]:
    if key == "roles":
        roles = (span.role for frame in sentence.frames or () for span in frame.arguments)
        return {role.removeprefix(CONTINUATION) for role in roles}
    return {*(getattr(sentence, "head_tags" if key == "labels" else key) or ())}


def _version_and_digest(model: str) -> Tuple[Optional[str], Optional[str]]:
    """For `/info`: an archive has no version, a training neither version nor digest."""
    path = Path(pretrained.resolve(model))
    if pretrained.is_exported(str(path)):
        info = read_info(path)
        return info.version, info.sha256
    return None, digest_of_file(path) if path.is_file() else None


def _answer(asked: Asked, results: Iterator[Labelled]) -> Labelled:
    if isinstance(asked, str):
        return asked
    labelled = list(islice(results, len(requests_of(asked))))
    for result in labelled:
        if isinstance(result, str):
            return result
    if isinstance(asked, Request):
        return labelled[0]
    return {**replace(asked, sentences=[]).to_dict(), SENTENCES: labelled}


def _with_events(asked: Asked, answer: Labelled) -> Labelled:
    if isinstance(asked, str) or isinstance(answer, str):
        return answer
    try:
        if isinstance(asked, Document):
            found = Document.from_dict(answer).to_dict(events=True)[SENTENCES]
            pairs = zip(answer[SENTENCES], found, strict=True)
            return {**answer, SENTENCES: [{**own, EVENTS: other[EVENTS]} for own, other in pairs]}
        sentence = replace(Sentence.from_dict(answer), text=asked.sentence.text)
        return {**answer, EVENTS: sentence.to_dict(events=True)[EVENTS]}
    except RecursionError:
        return "events: found a tree that is too deep; expected another one"
