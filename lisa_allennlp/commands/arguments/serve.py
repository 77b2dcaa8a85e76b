"""The arguments of `lisa serve`."""

import argparse

from lisa_allennlp import pretrained
from lisa_allennlp.commands.arguments.predict import PRECISIONS
from lisa_allennlp.commands.lisa_options import add_lisa_options
from lisa_allennlp.service.limits import DEFAULTS

HOST = "127.0.0.1"
PORT = 8000


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    text = "Serve a trained model over HTTP, with a page for browsers."
    subparser = parser.add_parser(
        "serve", description=f"{text} docs/serving.md has examples.", help=text
    )
    subparser.add_argument(
        "model",
        nargs="?",
        default=pretrained.DEFAULT,
        metavar="MODEL",
        help="model.tar.gz, a folder, or a name that `lisa models` lists (default: %(default)s)",
    )
    _add_address(subparser)
    _add_limits(subparser)
    _add_model_options(subparser)
    return subparser


def _add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=PORT, help="0 chooses a free one")
    parser.add_argument(
        "--host",
        default=HOST,
        help="the address to listen on: by default only this machine can reach the service, with "
        "0.0.0.0 every machine that can reach this one",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another name of the service, such as that of a reverse proxy; NAME or NAME:PORT",
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-queue",
        type=int,
        default=DEFAULTS.max_queue,
        metavar="N",
        help="the number of waiting sentences at which requests are refused",
    )
    parser.add_argument(
        "--max-bytes",
        type=int,
        default=DEFAULTS.max_bytes,
        metavar="N",
        help="the largest body of a request",
    )
    parser.add_argument(
        "--max-words",
        type=int,
        default=DEFAULTS.max_words,
        metavar="N",
        help="the longest sentence; time and memory grow with the square of its length",
    )
    parser.add_argument(
        "--time-limit",
        type=float,
        default=DEFAULTS.time_limit,
        metavar="SECONDS",
        help="the time in which a request must be answered",
    )


def _add_model_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--processes",
        type=int,
        metavar="N",
        help="the number of processes that label, with one thread each, at most that of the cores; "
        "with 0, a thread labels (default: the number of cores; 0 on a GPU)",
    )
    parser.add_argument(
        "--cuda-device", type=int, default=-1, help="number of the GPU to use, -1 for the CPU"
    )
    parser.add_argument(
        "--precision",
        choices=PRECISIONS,
        help="the precision of the network's matrix products (default: the model's)",
    )
    parser.add_argument(
        "--predictor-args",
        default="",
        metavar="JSON",
        help='options as for `lisa predict`, for example \'{"parse_decoder": "argmax"}\'',
    )
    add_lisa_options(parser)
