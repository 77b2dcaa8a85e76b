"""
The paths of the service.

    >>> [path for path in PATHS if path.startswith("/d")]
    ['/draw', '/docs']
"""

import asyncio
from pathlib import Path
from typing import Any, Awaitable, Callable, Dict, Optional, TypeVar, Union

import fastapi_offline
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException

from lisa_allennlp.labelling.errors import shown
from lisa_allennlp.service._http import schemas
from lisa_allennlp.service.conversion import convert
from lisa_allennlp.service.door import Door, seconds_left
from lisa_allennlp.service.drawing import draw_answer
from lisa_allennlp.service.errors import RequestError
from lisa_allennlp.service.files import API_PAGE, PAGE, File, Files
from lisa_allennlp.service.labelling import LabellingService
from lisa_allennlp.service.metrics import CONTENT_TYPE
from lisa_allennlp.service.origins import Origins
from lisa_allennlp.service.processes import Variant, to_bytes
from lisa_allennlp.service.reading import read_json
from lisa_allennlp.version import VERSION

_REFERENCE = "#/components/schemas/{model}"

PATHS = (
    "/",
    "/label",
    "/draw",
    "/convert",
    "/info",
    "/health",
    "/metrics",
    "/docs",
    "/openapi.json",
)
"""The paths that metrics name."""

JSON = "application/json"
SVG = "image/svg+xml"
TEXT = "text/plain; charset=utf-8"

Result = TypeVar("Result")

_DESCRIPTION = """\
Labels sentences and documents with part-of-speech tags, a dependency parse, predicates and their
roles. Requests that arrive together are labelled as one batch. All errors have one line of JSON:
`{"error": "..."}`.
"""

_ERRORS: Dict[int, str] = {
    400: "The body is no valid JSON.",
    403: "The Host or the Origin is another service's.",
    408: "The body came too slowly.",
    413: "The body is too large.",
    415: "The Content-Type is not application/json.",
    422: "The input cannot be labelled, drawn or written.",
    429: "Too much is waiting; Retry-After has the seconds to wait.",
    500: "There was a fault in the service.",
    503: "The service is stopping.",
    504: "There was no answer in time.",
}


def make_app(service: LabellingService, origins: Origins) -> Door:
    """
    # Parameters

    service : `LabellingService`
    origins : `Origins`

    # Returns

    `Door`
        The ASGI application.
    """
    app = FastAPI(
        title="lisa serve",
        version=VERSION,
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    door = Door(app, origins, service.limits, service.metrics, PATHS)
    _add_labelling(app, service)
    _add_pictures(app, service)
    _add_state(app, service, door)
    _add_files(app)
    _add_errors(app)
    _complete(app.openapi())
    return door


def _add_labelling(app: FastAPI, service: LabellingService) -> None:
    @app.post(
        "/label",
        summary="Label sentences and documents",
        response_class=JSONResponse,
        responses=_responses(JSON, _schema(schemas.LabelAnswer), "The answer, or a list of them."),
        openapi_extra=_body(schemas.LabelInput, schemas.LABEL_EXAMPLES),
    )
    async def label(
        request: Request, probabilities: bool = False, attention: bool = False
    ) -> Response:
        """
        The body is a string of raw text (one sentence), an object (a sentence or a document), or a
        list of these. The answer to a list is a list, in which an input that cannot be labelled has
        an object with `error`.
        """
        body = await request.body()
        answer = service.label(body, Variant(probabilities, attention))
        return Response(await _in_time(request, answer, service), media_type=JSON)


def _add_pictures(app: FastAPI, service: LabellingService) -> None:
    @app.post(
        "/draw",
        summary="Draw an answer as SVG",
        response_class=Response,
        responses=_responses(SVG, {"type": "string"}, "The picture."),
        openapi_extra=_body(schemas.DrawInput, schemas.DRAW_EXAMPLES),
    )
    async def draw(request: Request) -> Response:
        """Arcs above the words, roles below them; or the attention alone."""
        body = await request.body()
        picture = service.draw(lambda: draw_answer(read_json(body), service.limits.max_words))
        return Response(await _in_time(request, picture, service), media_type=SVG)

    @app.post(
        "/convert",
        summary="Write answers in another format",
        response_class=Response,
        responses=_responses(TEXT, {"type": "string"}, "The text."),
        openapi_extra=_body(schemas.ConvertInput, schemas.CONVERT_EXAMPLES),
    )
    async def converted(request: Request, format: str = "conllu") -> Response:
        """The formats of `lisa predict`; `/info` lists those of the model."""
        body = await request.body()
        text = service.draw(lambda: convert(read_json(body), format, service.formats))
        return Response(await _in_time(request, text, service), media_type=TEXT)


def _add_state(app: FastAPI, service: LabellingService, door: Door) -> None:
    info = to_bytes(service.info())

    @app.get("/info", summary="The model and the limits", response_model=schemas.InfoAnswer)
    async def describe() -> Response:
        return Response(info, media_type=JSON)

    @app.get(
        "/health",
        summary="Whether the service takes requests",
        response_model=schemas.HealthAnswer,
        responses={503: {"model": schemas.HealthAnswer, "description": "It is stopping."}},
    )
    async def health() -> Response:
        if door.is_stopping:
            return Response(b'{"status": "stopping"}', 503, {"Retry-After": "5"}, JSON)
        return Response(b'{"status": "ok"}', media_type=JSON)

    @app.get("/metrics", summary="Counters for Prometheus", response_class=Response)
    async def count() -> Response:
        return Response(service.metrics.text(), media_type=CONTENT_TYPE)


def _add_files(app: FastAPI) -> None:
    page = Files(PAGE)
    swagger = Path(fastapi_offline.__file__).with_name("static")
    api_page = Files(API_PAGE, swagger)
    for path, files in (("/", page), ("/docs", api_page)):
        app.get(path, include_in_schema=False)(_sender(files))
    for path, files in (("/static/{name}", page), ("/docs/{name}", api_page)):
        app.get(path, include_in_schema=False)(_sender_by_name(files))


def _sender(files: Files) -> Callable[[], Awaitable[Response]]:
    async def send() -> Response:
        return _file(files, "index.html")

    return send


def _sender_by_name(files: Files) -> Callable[[str], Awaitable[Response]]:
    async def send(name: str) -> Response:
        return _file(files, name)

    return send


def _file(files: Files, name: str) -> Response:
    file: Optional[File] = files.get(name)
    if file is None:
        raise HTTPException(404)
    return Response(file.content, media_type=file.content_type)


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(RequestError)
    async def on_request_error(_: Request, refusal: RequestError) -> Response:
        return Response(refusal.body, refusal.status, refusal.headers, JSON)

    @app.exception_handler(HTTPException)
    async def on_http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            found, expected = request.url.path[:100], ", ".join(PATHS)
            refusal = RequestError(404, f"found the path {found}; expected {expected}")
        elif error.status_code == 405:
            allow = (error.headers or {}).get("Allow", "")
            message = f"found the method {request.method}; expected {allow}"
            refusal = RequestError(405, message, allow=allow)
        else:
            refusal = RequestError(error.status_code, str(error.detail))
        return await on_request_error(request, refusal)

    @app.exception_handler(RequestValidationError)
    async def on_bad_parameter(request: Request, error: RequestValidationError) -> Response:
        # Only flags are checked.
        first = error.errors()[0]
        found = f"`{first['loc'][-1]}`: found {shown(first['input'], 80)}"
        return await on_request_error(
            request, RequestError(422, f"{found}; expected true or false")
        )


async def _in_time(
    request: Request, answer: Awaitable[Result], service: LabellingService
) -> Result:
    """
    The answer, if it comes in time and the client is still there.

    # Raises

    `RequestError`
        If it is not.
    """
    task: asyncio.Future[Result] = asyncio.ensure_future(answer)
    gone = asyncio.ensure_future(request.receive())
    try:
        left = seconds_left(request.scope, service.limits.time_limit)
        done, _ = await asyncio.wait(
            (task, gone), timeout=left, return_when=asyncio.FIRST_COMPLETED
        )
        if task in done:
            return task.result()
        if gone in done:
            raise RequestError(499, "found a client that has gone; expected it to wait")
        limit = f"{service.limits.time_limit:g} seconds (lisa serve --time-limit)"
        raise RequestError(504, f"found no answer in {limit}; expected a shorter queue or input")
    finally:
        task.cancel()
        gone.cancel()


def _body(of_type: Any, examples: Dict[str, Any]) -> Dict[str, Any]:
    """The description of a body of JSON."""
    content = {"schema": _schema(of_type), "examples": examples}
    return {"requestBody": {"required": True, "content": {JSON: content}}}


def _responses(media_type: str, schema: Dict[str, Any], meaning: str) -> Dict[Any, Dict[str, Any]]:
    """The description of an answer and of all errors."""
    found: Dict[Any, Dict[str, Any]] = {
        200: {"description": meaning, "content": {media_type: {"schema": schema}}}
    }
    for status, reason in _ERRORS.items():
        found[status] = {"model": schemas.ErrorAnswer, "description": reason}
    return found


def _schema(of_type: Any) -> Dict[str, Any]:
    """The JSON schema of a type, which refers to `_components`."""
    schema = TypeAdapter(of_type).json_schema(ref_template=_REFERENCE)
    schema.pop("$defs", None)
    return schema


def _complete(description: Dict[str, Any]) -> None:
    """Adds the schemas that bodies and answers refer to."""
    every = Union[schemas.LabelInput, schemas.LabelAnswer, schemas.DrawInput, schemas.ConvertInput]
    defined = TypeAdapter(every).json_schema(ref_template=_REFERENCE)["$defs"]
    description["components"]["schemas"].update(defined)
