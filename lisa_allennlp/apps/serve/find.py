"""The paths of `lisa serve --find`: questions to a labelled corpus, and the page that asks them."""

import asyncio
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Callable, Dict, List, Literal, Mapping, Optional, TypeVar

from fastapi import APIRouter, Depends, Header, HTTPException, Query, Request, Response
from pydantic import BaseModel, Field

from lisa_allennlp.apps.find import Corpus, Hit, Question
from lisa_allennlp.apps.find.corpus import Count, LeftOut, Salient
from lisa_allennlp.apps.find.example import Example
from lisa_allennlp.apps.find.query import one_name
from lisa_allennlp.apps.find.question import Polarity, frame_of, named_value, named_values
from lisa_allennlp.apps.serve.labelling import LabellingService
from lisa_allennlp.apps.serve.middleware import in_time
from lisa_allennlp.apps.show.explanations import describe_truth
from lisa_allennlp.apps.show.theme import role_class
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.label_names import verb_of
from lisa_allennlp.labelling.glosses import rolesets_of
from lisa_allennlp.sentence.sentence import Sentence

EXAMPLES = 3

MEDIA = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}


Answered = TypeVar("Answered")


def refuse_others(sec_fetch_site: Annotated[str, Header(include_in_schema=False)] = "none") -> None:
    """Refuses requests from pages of other sites, since questions take time."""
    if sec_fetch_site not in ("none", "same-origin"):
        expected = "one from the pages of this service, or from no page"
        raise HTTPException(403, f"found a request from another site; expected {expected}")


class FindInput(BaseModel):
    """A question: an example, what to change in it, or both. See `lisa find --help`."""

    question: Annotated[str, Field(description="Such as `Customers return WHAT`.")] = ""
    sense: Annotated[List[str], Field(description="Rolesets, instead of the example's.")] = []
    lemma: List[str] = []
    role: Annotated[List[str], Field(description="Such as `ARG0=customer`.")] = []
    asked: Annotated[List[str], Field(description="Roles to count.")] = []
    where: Annotated[List[str], Field(description="Other columns, such as `stars=1`.")] = []
    polarity: Polarity = "affirmed"
    factuality: Annotated[List[str], Field(description="Instead of the example's.")] = []
    like: bool = False
    pronouns: Annotated[bool, Field(description="Whether they are counted.")] = True


class Sense(BaseModel):
    """A roleset."""

    name: str
    gloss: str
    number: int = Field(description="The number of its events that answer the question.")


class Role(BaseModel):
    """A role that something must fill."""

    role: str
    meaning: str = Field(description="What the roleset calls it.")
    value: str = Field(description="What must fill it, as in `role` of the request.")
    style: str = Field(description="The class of its colour.")


class Place(BaseModel):
    """Where the predicate (`V`) or a piece of a filler is in the text."""

    role: str
    start: int
    end: int
    style: str


class Found(BaseModel):
    """An event that was found."""

    document: Optional[str]
    sentence: str
    text: str
    sense: Optional[str]
    truth: str = Field(description="What the sentence says of it, and who says so.")
    places: List[Place]


class AboutAnswer(BaseModel):
    """The corpus."""

    total: int = Field(description="The number of its events.")
    examples: List[str] = Field(description="Questions about its frequent events.")


class FindAnswer(BaseModel):
    """How a question was understood, and what answers it."""

    senses: List[Sense]
    others: List[List[Sense]] = Field(description="For each of them, the word's other rolesets.")
    roles: List[Role]
    alike: List[str] = Field(description="With `like`, the other rolesets.")
    asked: List[str]
    polarity: Polarity
    factuality: List[str]
    where: Dict[str, str]
    left_out: List[LeftOut]
    salient: List[Salient] = Field(description="Without a question, the events to begin with.")
    total: int = Field(description="The number of events in the corpus.")
    number: int = Field(description="The number of those that were found.")
    hits: List[Found]
    counts: List[Count]


def find_router(service: LabellingService, corpus: Optional[Corpus]) -> APIRouter:
    router = APIRouter()

    def known() -> Corpus:
        if corpus is None:
            raise HTTPException(422, "found no tables; expected lisa serve --find LABELLED")
        return corpus

    async def answered(
        request: Request, asked: FindInput, work: Callable[[Corpus, Question], Answered]
    ) -> Answered:
        """Does the work in a thread, until the time is over or the client has gone."""
        found, stop = known(), threading.Event()

        def run(question: Question) -> Answered:
            with found.until(stop) as own:
                is_example = asked.question.strip() and not (asked.sense or asked.lemma)
                return work(own, own.weighed(question) if is_example else question)

        async def run_understood() -> Answered:
            return await asyncio.to_thread(run, await understood(asked))

        # After the body, which is empty, comes only that the client has gone.
        await request.body()
        try:
            return await in_time(request, run_understood(), service.limits.time_limit)
        finally:
            stop.set()

    async def understood(asked: FindInput) -> Question:
        example = Question()
        if asked.question.strip():
            read = Example.read(asked.question)
            label = await service.label(read.stated, service.info.has_probabilities)
            example = read.question(Sentence.from_dict(label))
        roles = {one_name(name): value for name, value in map(named_value, asked.role)}
        return example.changed(
            Question(
                asked.sense,
                asked.lemma,
                roles,
                [one_name(role) for role in asked.asked],
                asked.polarity,
                asked.factuality,
                named_values(named_value(text, ranges=True) for text in asked.where),
                asked.like,
                asked.pronouns,
            )
        )

    own = [Depends(refuse_others)]
    examples: List[str] = []

    @router.get("/find/about", summary="What can be asked", dependencies=own)
    async def about() -> AboutAnswer:
        """Examples are questions that the model understands as they are meant."""
        for sense, text in [] if examples else await asyncio.to_thread(known().examples):
            with suppress(ConfigurationError):
                question = await understood(FindInput(question=text))
                if list(question.senses) == [sense] and len(question.asked) == 2:
                    examples.append(text)
            if len(examples) == EXAMPLES:
                break
        return AboutAnswer(total=len(known()), examples=examples)

    @router.get("/find/answer", summary="Ask a labelled corpus", dependencies=own)
    async def answer(
        request: Request,
        asked: Annotated[FindInput, Query()],
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    ) -> FindAnswer:
        """The events that were found, and the counts of what fills the roles that are asked."""
        return await answered(
            request, asked, lambda found, question: _answer(found, question, offset, limit)
        )

    @router.get(
        "/find/rows",
        summary="All rows that answer a question",
        response_class=Response,
        dependencies=own,
    )
    async def download(
        request: Request,
        asked: Annotated[FindInput, Query()],
        counts: bool = False,
        format: Literal["csv", "jsonl"] = "csv",
    ) -> Response:
        """The rows of the table of events, or the counts."""
        body = await answered(
            request, asked, lambda found, question: _rows(found, question, counts, format)
        )
        name = f'attachment; filename="{"counts" if counts else "events"}.{format}"'
        return Response(body, media_type=MEDIA[format], headers={"Content-Disposition": name})

    return router


def _answer(corpus: Corpus, question: Question, offset: int, limit: int) -> FindAnswer:
    frame = frame_of(question)
    numbers = corpus.senses(question)
    senses = [_senses(numbers, *one) for one in frame.senses]
    left_out = [] if question.is_open else corpus.left_out(question)
    salient = corpus.salient(question) if question.is_open else []
    return FindAnswer(
        senses=[own for own, *_ in senses],
        others=[others for _, *others in senses],
        roles=[Role(**role._asdict(), style=role_class(role.role)) for role in frame.roles],
        alike=frame.alike,
        asked=list(question.asked),
        polarity=question.polarity,
        factuality=list(question.factuality),
        where=dict(question.where),
        left_out=left_out,
        salient=salient,
        total=len(corpus),
        number=corpus.number(question),
        hits=[_found(hit) for hit in corpus.find(question, limit, offset)],
        counts=corpus.count(question, limit=limit) if question.asked else [],
    )


def _senses(numbers: Mapping[str, int], sense: str, gloss: str) -> List[Sense]:
    others = rolesets_of(verb_of(sense), "VB", sense)
    glosses = {sense: gloss, **{one.sense: one.gloss for one in others}}
    return [Sense(name=n, gloss=g, number=numbers.get(n, 0)) for n, g in glosses.items()]


def _found(hit: Hit) -> Found:
    places = [Place(**place._asdict(), style=role_class(place.role)) for place in hit.places]
    row = hit.row
    return Found(
        document=hit.document,
        sentence=hit.sentence,
        text=hit.text,
        sense=hit.sense,
        truth=describe_truth(row["factuality"], row.get("source"), row.get("happened")),
        places=places,
    )


def _rows(corpus: Corpus, question: Question, counts: bool, format: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"rows.{format}")
        corpus.write(question, str(path), [] if counts else None)
        return path.read_bytes()
