"""
`lisa serve`: an HTTP service, with a page for browsers.

```
lisa serve
lisa serve out/sample/model.tar.gz --port 8001
lisa serve english --corpus dev.conllu --save corrections
lisa serve english --adjudicate ann ben --save agreed
lisa serve --find labelled
```
"""

import argparse
import math
import re
import socket
import sys
from contextlib import closing
from pathlib import Path
from typing import Collection

from lisa_allennlp.apps.serve import ANY_HOST, DEFAULTS, Limits
from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import print_notes
from lisa_allennlp.commands.options import at_least, repeated, settings
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk import pretrained

LOOPBACK = ("127.0.0.1", "::1")


def _host(text: str) -> str:
    if text != ANY_HOST and not re.fullmatch(r"[\w.-]+", text):
        raise argparse.ArgumentTypeError(f"found {text}; expected a name such as nlp.example.org")
    return text


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"found {text}; expected seconds above 0")
    return seconds


LIMITS = {
    "max-queue": "the number of waiting sentences at which requests are refused",
    "max-bytes": "the largest body of a request",
    "max-words": "the longest sentence; time and memory grow with the square of its length",
    "max-sentences": "the most sentences of a request",
}
ARGUMENTS: options.Arguments = {
    "model MODEL": settings(
        f"{options.MODEL_HELP} (default: {pretrained.DEFAULT})",
        nargs="?",
        default=pretrained.DEFAULT,
    ),
    "--corpus FILE": settings(
        "sentences to correct on the page: annotated files (CoNLL-U, gold_conll ...), or any that "
        "`lisa predict` reads or writes",
        nargs="+",
        default=[],
    ),
    "--adjudicate": settings(
        "what two people made of the same sentences, to choose where they differ: two folders of "
        "corrections, or two annotated files",
        nargs=2,
        default=[],
        metavar=("A", "B"),
    ),
    **options.INPUT_FORMAT,
    "--save DIR": "the folder for the corrections, NAME.corrections.jsonl. Without it nothing is "
    "saved",
    "--find LABELLED": "tables to ask on the page /find: a folder of `lisa annotate --table`, or a "
    "file, as for `lisa find`",
    "--port PORT": settings("0 chooses a free one (default: %(default)s)", type=int, default=8000),
    "--host HOST": settings(
        "the address to listen on: by default only this machine can reach the service, with "
        "0.0.0.0 every machine that can reach this one",
        default=LOOPBACK[0],
    ),
    "--allow-host NAME": repeated(
        "another name of the service, such as that of a reverse proxy or of a container; '*' "
        "allows every name, but pages under unknown names save nothing",
        type=_host,
    ),
    **{
        f"--{name} N": at_least(
            1, f"{text} (default: %(default)s)", getattr(DEFAULTS, name.replace("-", "_"))
        )
        for name, text in LIMITS.items()
    },
    "--time-limit SECONDS": settings(
        "the time in which a request must be answered (default: %(default)s)",
        type=_seconds,
        default=DEFAULTS.time_limit,
    ),
    "--processes N": at_least(
        0,
        "the number of processes that label, with one thread each, at most that of the cores; "
        "with 0, a thread labels (default: the number of cores; 0 on a GPU)",
    ),
    "--drain SECONDS": settings(
        "after SIGTERM, the time in which requests are still taken while /ready answers 503, so "
        "that a proxy can turn to others (default: none)",
        type=_seconds,
        default=0.0,
    ),
    "--no-page": "serve the API alone, without pages for browsers",
    "--log-level": settings(
        "info adds a line per request, debug also those to /health, /ready and /metrics (default: "
        "warning)",
        choices=("debug", "info", "warning", "error"),
    ),
    "--log-format": settings(
        "json: a line of JSON per record (default: %(default)s)",
        choices=("text", "json"),
        default="text",
    ),
    **options.CUDA_DEVICE,
    **options.ENGINE,
    **options.LABELS,
    **options.PACKAGES,
    **options.ALLOWED_TYPES,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "docs/serving.md has examples."
    exclusive = ("--corpus", "--adjudicate"), ("--processes", "--cuda-device")
    options.add(parser, ARGUMENTS, *exclusive)


def run(args: argparse.Namespace) -> None:
    from lisa_allennlp.apps.analyze.adjudication import names_of, read_pairs
    from lisa_allennlp.apps.serve import logs, running
    from lisa_allennlp.apps.serve.app import app_of
    from lisa_allennlp.apps.serve.corpus import Corpus, adjudicated, check_apart, read_corpus
    from lisa_allennlp.apps.serve.labelling import LabellingService
    from lisa_allennlp.apps.serve.workers import number_of_processes

    if args.save and not (args.corpus or args.adjudicate):
        raise ConfigurationError(f"--save: found {args.save} without --corpus; expected both")
    if args.save:
        check_apart(args.save, [*args.corpus, *args.adjudicate])
    pairs = read_pairs(*args.adjudicate) if args.adjudicate else []
    chosen = options.labeller_options(args)
    limits = Limits(
        args.max_bytes, args.max_words, args.max_sentences, args.max_queue, args.time_limit
    )
    logs.set_up(args.log_format, args.log_level)
    # A port or a folder that another service has is found before the model is opened.
    listener = running.open_socket(args.host, args.port)
    if args.save:
        running.hold_folder(Path(args.save))
    with running.started(limits, listener) as run_until_signal:
        labeller = options.open_labeller(args.model, args, **chosen)
        corpus, save = None, Path(args.save) if args.save else None
        processes = number_of_processes(args.processes, args.cuda_device)
        if args.adjudicate:
            entries, agreed = adjudicated(pairs)
            corpus = Corpus(entries, save, agreed=agreed, people=names_of(*args.adjudicate))
        if args.corpus:
            how = args.max_words, max(1, processes), args.input_format, args.text_column
            corpus = Corpus(read_corpus(args.corpus, labeller, *how), save, labeller)
        tables = None
        if args.find:
            from lisa_allennlp.apps.find import Corpus as Tables

            tables = Tables(args.find, lambda note: print_notes([note]))
        with closing(LabellingService(labeller, limits, processes)) as service:
            warn_about(listener, args.allow_host)
            hosts = [args.host, *args.allow_host]
            app = app_of(service, hosts, corpus, tables, not args.no_page)
            url = f"{running.url_of(listener)}{'find' if args.find else ''}"
            print(f"serve: {service.info.model} at {url}{_elsewhere(listener)}", flush=True)
            run_until_signal(app, args.drain)


def _elsewhere(listener: socket.socket) -> str:
    everywhere = listener.getsockname()[0] in ("0.0.0.0", "::")
    return " and the other addresses of this machine" if everywhere else ""


def warn_about(listener: socket.socket, names: Collection[str]) -> None:
    host = listener.getsockname()[0]
    if host not in LOOPBACK:
        print(
            f"serve: listening on {host}: every machine that reaches it can use the service by its "
            "address or a name of --allow-host. It has neither passwords nor encryption "
            "(docs/serving.md says how to put a reverse proxy in front of it)",
            file=sys.stderr,
        )
    if ANY_HOST in names:
        print(
            f"serve: --allow-host {ANY_HOST}: every web page that is open in a browser which "
            "reaches the service can label and read what it serves, by DNS rebinding. Pages under "
            "names that no other --allow-host has save nothing",
            file=sys.stderr,
        )
