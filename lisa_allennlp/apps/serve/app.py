"""The paths of the service, which also draws and converts answers that clients send back."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import (
    Annotated,
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    Iterable,
    List,
    Literal,
    Optional,
    Sequence,
    Tuple,
)

import fastapi_offline
from fastapi import Body, Depends, FastAPI, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from pydantic import SkipValidation
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route

from lisa_allennlp.apps.find import Corpus as Tables
from lisa_allennlp.apps.serve import DEFAULTS, Limits, find, inception, schemas
from lisa_allennlp.apps.serve.corpus import ORDERS, Corpus, OldVersionError
from lisa_allennlp.apps.serve.counters import CONTENT_TYPE
from lisa_allennlp.apps.serve.labelling import LabellingService
from lisa_allennlp.apps.serve.lessons import MOST_SHOWN, Lessons
from lisa_allennlp.apps.serve.middleware import WATCHED, Middleware, in_time
from lisa_allennlp.apps.serve.tree_rules import broken_rules
from lisa_allennlp.apps.serve.workers import MOST_CHARACTERS, number_of_processes
from lisa_allennlp.apps.show.comparison import differences
from lisa_allennlp.apps.show.explanations import who_does_what
from lisa_allennlp.apps.show.figures import Pictured, figures_svg, make_figure, without
from lisa_allennlp.apps.show.layout import lay_out_edited
from lisa_allennlp.apps.show.svg import draw as draw_sentence
from lisa_allennlp.apps.show.svg import svg
from lisa_allennlp.apps.show.texts import describe
from lisa_allennlp.apps.show.theme import page_stylesheet
from lisa_allennlp.common.errors import ConfigurationError, did_you_mean
from lisa_allennlp.common.json_values import shown
from lisa_allennlp.formats.corrections import KEY
from lisa_allennlp.labelling.glosses import rolesets_of
from lisa_allennlp.labelling.groups import one_line
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.writing import format_answer
from lisa_allennlp.sentence.meanings import meaning_of_function
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.version import VERSION

PAGE = Path(__file__).with_name("page")

API_PAGE = Path(__file__).with_name("api_page")

PAGES = {
    "/": PAGE / "index.html",
    "/find": PAGE / "find.html",
    "/docs": API_PAGE / "index.html",
}

_DESCRIPTION = """\
Labels sentences and documents with part-of-speech tags, a dependency parse, predicates and their
roles. Requests that arrive together are labelled as one batch. All errors have one line of JSON:
`{"error": "..."}`.
"""

ERRORS: Dict[int, str] = {
    400: "The body is no valid JSON, or the Host is another service's.",
    403: "Another site asks a question to the corpus.",
    409: "Somebody has saved the sentence since the version that is given.",
    413: "The body is too large, or has too many sentences.",
    415: "The Content-Type is not application/json.",
    422: "The input cannot be labelled, drawn or written.",
    429: "Too much is waiting; Retry-After has the seconds to wait.",
    500: "There was a fault in the service.",
    504: "There was no answer in time.",
    507: "The corrections cannot be written, for example to a full disk.",
}

_RESPONSES: Dict[Any, Dict[str, Any]] = {
    status: {"model": schemas.ErrorAnswer, "description": reason}
    for status, reason in ERRORS.items()
}


def make_app(
    model: str = "english",
    *,
    processes: Optional[int] = None,
    hosts: Iterable[str] = (),
    limits: Limits = DEFAULTS,
    page: bool = True,
    **options: Any,
) -> FastAPI:
    """
    Opens a model and makes the ASGI application of `lisa serve` for a server of your own, such as
    `uvicorn --factory lisa_allennlp.apps.serve.app:make_app`.

    # Parameters

    model : `str`
        A model's name, archive or folder.
    processes : `int`, optional
        The number of processes that label, at most one per core (the default; 0 on a GPU). With 0,
        a thread labels.
    hosts : `Iterable[str]`
        The names of the service besides localhost, as for `--allow-host`.
    limits : `Limits`
    page : `bool`
        Whether there are pages for browsers besides the API.
    options : `Any`
        What else `lisa_allennlp.load` takes.

    # Raises

    ConfigurationError
        If the model cannot be opened.
    """
    number = number_of_processes(processes, options.get("device", "cpu"))
    service = LabellingService(load_labeller(model, **options), limits, number)
    return app_of(service, hosts, page=page)


def app_of(
    service: LabellingService,
    hosts: Iterable[str] = (),
    corpus: Optional[Corpus] = None,
    tables: Optional[Tables] = None,
    page: bool = True,
) -> FastAPI:
    """
    Makes the ASGI application for these hosts (and localhost and all addresses). Its lifespan ends
    the processes of the service, and while `state.is_ending`, `/ready` answers 503.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()

    app = FastAPI(
        title="lisa serve",
        version=VERSION,
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        dependencies=[Depends(_check_parameters)],
    )
    app.state.is_ending = False
    _add_posts(app, service, corpus)
    _add_gets(app, service, corpus, tables is not None)
    _add_corpus(app, service, corpus)
    if page:
        _add_pages(app)
    routers = [find.find_router(service, tables), inception.inception_router(service)]
    for router in routers:
        app.include_router(router, responses=_RESPONSES)
    routes = [*app.routes, *(route for router in routers for route in router.routes)]
    known = (route.path for route in routes if isinstance(route, Route))
    paths = list(dict.fromkeys(path for path in known if not path.startswith("/static")))
    options: Any = {
        "max_bytes": service.limits.max_bytes,
        "metrics": service.metrics,
        "paths": paths,
        "hosts": list(hosts),
    }
    app.add_middleware(Middleware, **options)
    _add_errors(app, paths)
    app.openapi()  # FastAPI keeps the description, for which the first request would wait.
    return app


def _check_parameters(request: Request) -> None:
    """Refuses unknown parameters of the address, for example misspelt ones."""
    described = request.app.openapi()["paths"].get(request.url.path, {})
    operation = described.get(request.method.lower())
    if operation is None or request.url.path in WATCHED:
        return
    known = [item["name"] for item in operation.get("parameters", ())]
    for name in request.query_params:
        if name not in known:
            expected = f"one of {', '.join(known)}" if known else "none"
            found = f"`{name[:80]}`: found a parameter that {request.url.path} does not take"
            raise HTTPException(422, f"{found}{did_you_mean(name, known)}; expected {expected}")


def _add_posts(app: FastAPI, service: LabellingService, corpus: Optional[Corpus]) -> None:
    limits = service.limits

    @app.post(
        "/label",
        summary="Label sentences and documents",
        response_model=schemas.LabelAnswer,
        responses=_RESPONSES,
    )
    async def label(
        request: Request,
        content: Annotated[
            schemas.LabelInput, SkipValidation, Body(openapi_examples=schemas.LABEL_EXAMPLES)
        ],
        probabilities: bool = False,
        attention: bool = False,
        events: bool = False,
        auxiliaries: Optional[bool] = None,
        notice: bool = False,
    ) -> Response:
        """
        The body is a string of raw text (one sentence), an object (a sentence or a document), or a
        list of these. The answer to a list is a list, in which an input that cannot be labelled has
        an object with `error`. With `notice`, an answer has the key `notice` if most of its words
        are unknown to the model.
        """
        # Each input of a list has an answer or an error of its own, from the reader of all inputs.
        answer = service.label(
            content, probabilities, attention, events=events, auxiliaries=auxiliaries, notice=notice
        )
        found = await in_time(request, answer, limits.time_limit)
        return Response(json.dumps(found, ensure_ascii=False), media_type="application/json")

    @app.post(
        "/edit",
        summary="Label a sentence with corrections, and draw it",
        response_model=schemas.EditAnswer,
        responses=_RESPONSES,
    )
    async def edit(
        request: Request,
        asked: Annotated[schemas.EditInput, Body(openapi_examples=schemas.EDIT_EXAMPLES)],
    ) -> Response:
        """What is corrected stays as it is, and the model labels the rest."""
        if isinstance(asked.sentence, int):
            found, index = _entry(corpus, asked.sentence)
            own = found.entries[index].own or found.entries[index].start
            edited = found.edited(index, asked.corrections, _editing(service, found))
        else:
            own = asked.sentence.labelled
            _check_length(own, limits)
            edited = service.edit(own, asked.corrections)
        sentence = await in_time(request, edited, limits.time_limit)
        answer = {key: value for key, value in sentence.to_dict().items() if key != KEY}
        how = asked.picture
        drawn = None if how is None else await asyncio.to_thread(picture, sentence, own, how)
        lines = await asyncio.to_thread(who_does_what, sentence.as_typed())
        told = {
            "answer": answer,
            "picture": drawn,
            "frames": list(map(asdict, lines)),
            "broken_rules": broken_rules(sentence),
        }
        return Response(json.dumps(told, ensure_ascii=False), media_type="application/json")

    @app.post(
        "/draw",
        summary="Draw an answer as SVG",
        response_class=Response,
        responses={**_RESPONSES, 200: {"content": {"image/svg+xml": {}}}},
    )
    def draw_answer(
        asked: Annotated[schemas.DrawInput, Body(openapi_examples=schemas.DRAW_EXAMPLES)],
    ) -> Response:
        """Arcs above the words, roles below them."""
        for answer in (asked.answer, asked.other):
            if answer is not None:
                _check_length(answer.labelled, limits)
        return Response(draw(asked), media_type="image/svg+xml")

    @app.post(
        "/convert",
        summary="Write answers in another format",
        response_class=Response,
        responses={**_RESPONSES, 200: {"content": {"text/plain": {}}}},
    )
    def convert_answers(
        asked: Annotated[schemas.ConvertInput, Body(openapi_examples=schemas.CONVERT_EXAMPLES)],
        format: str = "conllu",
    ) -> Response:
        """The formats of `lisa predict`; `/info` lists those of the model."""
        text = convert(asked, _check_format(service, format))
        return Response(text, media_type="text/plain; charset=utf-8")


def _check_format(service: LabellingService, format: str) -> str:
    if format not in service.info.formats:
        expected = ", ".join(service.info.formats)
        found = f"`format`: found {shown(format, 80)}"
        raise HTTPException(422, f"{found}; expected one of {expected}")
    return format


def _check_length(sentence: Sentence, limits: Limits) -> None:
    if len(sentence.words) > limits.max_words:
        found = f"found {len(sentence.words):,} words"
        raise HTTPException(422, f"{found}; expected at most {limits.max_words:,}")


def draw(asked: schemas.DrawInput) -> str:
    """Draws an answer, or two to compare, as an element `svg` that is also a file of its own."""
    sentence = asked.answer.labelled
    other = None if asked.other is None else asked.other.labelled
    return picture(sentence, other, asked)


def picture(sentence: Sentence, other: Optional[Sentence], how: schemas.Picture) -> str:
    if not how.probabilities:
        sentence, other = _without_probabilities(sentence), other and _without_probabilities(other)
    if how.overlay:
        sentence, before = sentence.as_typed(), (other or sentence).as_typed()
        layout = lay_out_edited(sentence, before, how.width)
        drawing = draw_sentence(sentence, layout, differences(sentence, before), before)
        return svg(drawing, describe(sentence), how.theme)
    sentence, other = without(sentence, how.without), other and without(other, how.without)
    pictured = Pictured(sentence, other, how.names or ("first", "second"))
    return figures_svg([make_figure(pictured, how.width)], how.theme)


def _without_probabilities(sentence: Sentence) -> Sentence:
    frames = sentence.frames and [
        replace(frame, probability=None, span_probabilities=None) for frame in sentence.frames
    ]
    return replace(sentence, frames=frames, pos_probabilities=None, head_probabilities=None)


def convert(asked: schemas.ConvertInput, output_format: str) -> str:
    return "".join(format_answer(answer.labelled, output_format) for answer in asked.answers)


def _add_gets(
    app: FastAPI, service: LabellingService, corpus: Optional[Corpus], finds: bool
) -> None:
    saves = corpus is not None and corpus.saves
    teaches = corpus is not None and corpus.lessons is not None
    people = [] if corpus is None else corpus.people
    known = {"corpus": corpus is not None, "saves": saves, "teaches": teaches, "finds": finds}
    info = service.info.model_copy(update={**known, "people": people})

    @app.get("/info", summary="The model and the limits")
    async def describe() -> schemas.InfoAnswer:
        return info

    @app.get(
        "/rolesets", summary="The rolesets of a word", response_model=List[schemas.RolesetAnswer]
    )
    def find_rolesets(word: str, tag: str = "VB", sense: str = "") -> List[Dict[str, Any]]:
        """PropBank's rolesets of a word with a tag of the Penn Treebank, and of a roleset."""
        return [
            {
                "sense": found.sense,
                "gloss": found.gloss,
                "roles": found.roles,
                "functions": {role: meaning_of_function(f) for role, f in found.functions.items()},
            }
            for found in rolesets_of(word, tag, sense)
        ]

    @app.get("/health", summary="Whether it runs", response_model=schemas.HealthAnswer)
    async def health() -> Dict[str, str]:
        return {"status": "ok"}

    @app.get("/ready", summary="Whether it takes requests", response_model=schemas.HealthAnswer)
    async def is_ready() -> Dict[str, str]:
        """The status is 503 until the model is loaded, and when the service is about to end."""
        if app.state.is_ending:
            raise HTTPException(503, "found a service that ends; expected another one")
        return {"status": "ok"}

    @app.get("/metrics", summary="Counters for Prometheus", response_class=Response)
    async def count() -> Response:
        return Response(service.metrics.text(), media_type=CONTENT_TYPE)


def _add_pages(app: FastAPI) -> None:
    for path, index in PAGES.items():
        app.get(path, include_in_schema=False)(lambda index=index: FileResponse(index))
    app.get("/static/pictures.css", include_in_schema=False)(
        lambda: Response(page_stylesheet(), media_type="text/css")
    )
    swagger = Path(fastapi_offline.__file__).with_name("static")
    for path, folder in (("/static", PAGE), ("/docs", API_PAGE), ("/swagger", swagger)):
        app.mount(path, GZipMiddleware(StaticFiles(directory=folder)))


def _corpus(corpus: Optional[Corpus]) -> Corpus:
    if corpus is None:
        raise HTTPException(422, "found no corpus; expected lisa serve --corpus FILE")
    return corpus


def _entry(corpus: Optional[Corpus], number: int) -> Tuple[Corpus, int]:
    corpus = _corpus(corpus)
    if number not in corpus.numbers:
        expected = f"one from {corpus.numbers[0]:,} to {corpus.numbers[-1]:,}"
        raise HTTPException(422, f"`number`: found {number}; expected {expected}")
    return corpus, corpus.numbers.index(number)


def _add_corpus(app: FastAPI, service: LabellingService, corpus: Optional[Corpus]) -> None:
    @app.get("/corpus", summary="List sentences", response_model=schemas.ListAnswer)
    async def list_sentences(
        request: Request,
        order: Literal[ORDERS] = ORDERS[0],  # type: ignore[valid-type]
        search: str = "",
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    ) -> Dict[str, Any]:
        """The sentences that have all the words, rolesets and roles of `search`."""
        found = _corpus(corpus)
        answer = await asyncio.to_thread(found.listed, order, search, offset, limit)
        await request.body()
        refreshed = found.refresh_listed(answer, service.relabel)
        if await in_time(request, refreshed, service.limits.time_limit):
            answer = await asyncio.to_thread(found.listed, order, search, offset, limit)
        return answer

    @app.get("/corrections", summary="Write the corrected sentences", response_class=Response)
    def write_corrections(format: str = "conllu", uncorrected: bool = False) -> Response:
        """In a format of `/convert`, perhaps with the sentences that nobody has corrected."""
        found = _corpus(corpus).written(_check_format(service, format), uncorrected)
        name = f"corrections.{'jsonl' if format == 'json' else format}"
        headers = {"Content-Disposition": f"attachment; filename={name}"}
        return Response(found, headers=headers, media_type="text/plain; charset=utf-8")

    @app.get("/sentence", summary="A sentence of the corpus", responses=_RESPONSES)
    async def show_sentence(request: Request, number: int) -> schemas.CorpusSentence:
        """Its numbers are from 1. What nobody has corrected reads as accepted sentences teach."""
        found, index = _entry(corpus, number)
        # After the body, which is empty, comes only that the client has gone.
        await request.body()
        await in_time(request, found.refresh(index, service.relabel), service.limits.time_limit)
        return schemas.CorpusSentence(**found.sentence(index))

    @app.post("/sentence", summary="Save corrections", responses=_RESPONSES)
    async def save_sentence(
        request: Request, number: int, asked: schemas.SaveInput
    ) -> schemas.SaveAnswer:
        """They are on the disk when this is answered, and an accepted sentence teaches."""
        found, index = _entry(corpus, number)
        async with found.turn:
            return await write_sentence(request, found, index, asked)

    async def write_sentence(
        request: Request, found: Corpus, index: int, asked: schemas.SaveInput
    ) -> schemas.SaveAnswer:
        reading, corrections = None, asked.corrections or {}
        if asked.corrections is not None:
            edited = found.edited(index, corrections, _editing(service, found))
            reading = await in_time(request, edited, service.limits.time_limit)
        try:
            version = await asyncio.to_thread(
                found.save, index, reading, corrections, asked.version
            )
        except OldVersionError as error:
            message = f"found an old version of sentence {index + 1}; expected the present one"
            raise HTTPException(409, message) from error
        except OSError as error:
            message = (
                f"{error.filename}: cannot be written ({error.strerror}); expected room for it"
            )
            raise HTTPException(507, f"{message}, and the right to write it") from error
        return schemas.SaveAnswer(version=version)

    @app.get(
        "/alike",
        summary="Where the same correction may be due",
        response_model=schemas.AlikeAnswer,
        responses=_RESPONSES,
    )
    def find_alike(
        number: int, part: Literal["pos", "labels", "senses"], token: int, value: str
    ) -> Dict[str, Any]:
        """Sentences that nobody has corrected, with the same word and the label it had before."""
        found, index = _entry(corpus, number)
        return found.alike(index, part, token, value)

    @app.get("/lesson", summary="What accepted sentences have taught", responses=_RESPONSES)
    def describe_lesson() -> schemas.LessonAnswer:
        """It counts for sentences of the corpus that nobody has corrected."""
        return lesson_of(_lessons(corpus))

    @app.post("/lesson", summary="Use the lesson, or not", responses=_RESPONSES)
    def use_lesson(asked: schemas.LessonInput) -> schemas.LessonAnswer:
        """For all who use the service."""
        lessons = _lessons(corpus)
        lessons.is_used = asked.used
        _corpus(corpus).mark_stale(lessons.lemmas)
        return lesson_of(lessons)

    def lesson_of(lessons: Lessons) -> schemas.LessonAnswer:
        predicates = _corpus(corpus).accepted_predicates()[:MOST_SHOWN]
        return schemas.LessonAnswer(**{**lessons.describe(), "predicates": predicates})


def _editing(service: LabellingService, corpus: Corpus) -> Callable[..., Awaitable[Sentence]]:
    lesson = None if corpus.lessons is None else corpus.lessons.present
    return partial(service.edit, lesson=lesson, names=corpus.names)


def _lessons(corpus: Optional[Corpus]) -> Lessons:
    lessons = None if corpus is None else corpus.lessons
    if lessons is None:
        expected = "lisa serve --corpus FILE --save DIR, and a model of rolesets"
        raise HTTPException(422, f"found no lesson; expected {expected}")
    return lessons


def _add_errors(app: FastAPI, paths: Sequence[str]) -> None:
    def answer(status: int, message: str, headers: Any = None) -> Response:
        body = json.dumps({"error": one_line(message)[:MOST_CHARACTERS]}, ensure_ascii=False)
        return Response(body, status, headers, "application/json")

    @app.exception_handler(AnyHTTPException)
    async def on_http_error(request: Request, error: AnyHTTPException) -> Response:
        message = str(error.detail)
        if error.status_code == 404:
            message = f"found the path {request.url.path[:100]}; expected {', '.join(paths)}"
        elif error.status_code == 405:
            allowed = (error.headers or {}).get("Allow")
            message = f"found the method {request.method}; expected {allowed}"
        return answer(error.status_code, message, error.headers)

    @app.exception_handler(RequestValidationError)
    async def on_bad_value(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            place = first["loc"][1]
            found = shown(str(error.body)[place : place + 40])
            reason = f"{first['ctx']['error']} at character {place + 1}"
            return answer(400, f"found {found}; expected JSON ({reason})")
        place = ".".join(str(part) for part in first["loc"][1:]) or "the body"
        message = first["msg"].removeprefix("Value error, ")
        if message.startswith("found "):
            return answer(422, f"`{place}`: {message}")
        return answer(422, f"`{place}`: found {shown(first['input'], 80)}; {message}")

    @app.exception_handler(ConfigurationError)
    async def on_wrong_value(_: Request, error: ConfigurationError) -> Response:
        return answer(422, error.message)
