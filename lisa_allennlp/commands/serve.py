"""
The `serve` command: an HTTP service, with a page for browsers.

```
lisa serve
lisa serve out/sample/model.tar.gz --port 8001
```
"""

import argparse
import importlib
import math
import multiprocessing
import os
import socket
import sys

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.commands.arguments import serve as serve_arguments
from lisa_allennlp.commands.labeller_options import labeller_options
from lisa_allennlp.commands.predict_checks import usable_processes
from lisa_allennlp.common.threads import available_cores
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.service.limits import Limits

PACKAGES = ("fastapi", "fastapi_offline", "prometheus_client", "uvicorn")
"""What requirements/serve.txt adds."""

LOOPBACK = ("127.0.0.1", "::1")


@Subcommand.register("serve")
class Serve(Subcommand):
    """Serves a model over HTTP."""

    requires_plugins = True

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = serve_arguments.add_parser(parser)
        subparser.set_defaults(func=serve)
        return subparser


def serve(args: argparse.Namespace) -> None:
    """
    Runs the service until SIGTERM or SIGINT.

    # Raises

    `ConfigurationError`
        If an option does not fit, a package is missing, or the port cannot be opened.
    """
    check_packages()
    from lisa_allennlp.service._http.app import make_app
    from lisa_allennlp.service._http.running import Server, open_socket, url_of
    from lisa_allennlp.service.labelling import LabellingService
    from lisa_allennlp.service.metrics import Metrics
    from lisa_allennlp.service.origins import Origins

    limits, processes = _limits(args), _processes(args)
    options = labeller_options(args, own=("archive_file", "device", "precision"))
    listener = open_socket(args.host, args.port)
    port = listener.getsockname()[1]
    origins = Origins(port, args.host, args.allow_host)
    labeller = load_labeller(args.model, args.precision, args.cuda_device, **options)
    name = os.path.basename(args.model.rstrip("/"))
    service = LabellingService(labeller, name, limits, Metrics(), processes)
    _warn_about(listener)
    server = Server(
        make_app(service, origins),
        limits,
        lambda: print(f"serve: {name} at {url_of(listener)}", flush=True),
    )
    try:
        server.run([listener])
    finally:
        service.close()


def check_packages() -> None:
    """
    # Raises

    `ConfigurationError`
        If a package of requirements/serve.txt is missing.
    """
    for package in PACKAGES:
        try:
            importlib.import_module(package)
        except ImportError as error:
            raise ConfigurationError(
                f"serve: found no package {package}; expected it to be installed: "
                "pip install --no-deps -r requirements/serve.txt"
            ) from error


def _limits(args: argparse.Namespace) -> Limits:
    for name in ("max_queue", "max_bytes", "max_words"):
        value = getattr(args, name)
        if value < 1:
            option = name.replace("_", "-")
            raise ConfigurationError(f"--{option} is {value}; expected 1 or more")
    if not (0 < args.time_limit and math.isfinite(args.time_limit)):
        raise ConfigurationError(f"--time-limit is {args.time_limit}; expected seconds above 0")
    return Limits(args.max_bytes, args.max_words, args.max_queue, args.time_limit)


def _processes(args: argparse.Namespace) -> int:
    number = args.processes
    if number is not None and number < 0:
        raise ConfigurationError(f"--processes is {number}; expected 0 or more")
    if number and args.cuda_device >= 0:
        raise ConfigurationError("--processes: found --cuda-device too; expected one of them")
    if args.cuda_device >= 0 or "fork" not in multiprocessing.get_all_start_methods():
        return 0
    return available_cores() if number is None else usable_processes(number)


def _warn_about(listener: socket.socket) -> None:
    """Says so if other machines can reach the service."""
    host = listener.getsockname()[0]
    if host not in LOOPBACK:
        print(
            f"serve: listening on {host}: every machine that reaches it can use the service, which "
            "has neither passwords nor encryption (docs/serving.md says how to put a reverse "
            "proxy in front of it)",
            file=sys.stderr,
        )
