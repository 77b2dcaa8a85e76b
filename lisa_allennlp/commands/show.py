"""
The `show` command: pictures of labelled sentences.

```
lisa show "The cat that I saw had slept ."
lisa show dev.conllu --html dev.html
lisa show "Time flies." --compare english-fast
```
"""

import argparse
import json
import os
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from rich.console import Console

from lisa_allennlp import pretrained
from lisa_allennlp.commands.arguments import show as show_arguments
from lisa_allennlp.commands.arguments.show import OWN
from lisa_allennlp.commands.inputs import files_of_options
from lisa_allennlp.commands.outputs import check_outputs, write_output
from lisa_allennlp.commands.sentences import (
    given_or_piped,
    label_items,
    labeller_of,
    model_and_sentences,
    no_sentence,
    printed_width,
    read_content,
)
from lisa_allennlp.common.json_options import json_object
from lisa_allennlp.data.annotated_files import (
    ENDINGS,
    WORDS,
    align,
    check_complete,
    format_of_name,
    parses_beside,
    read_annotated,
)
from lisa_allennlp.data.document import SENTENCES
from lisa_allennlp.data.formats.json_lines import parse_json_lines
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import decoded
from lisa_allennlp.visualisation.attention import own_attention
from lisa_allennlp.visualisation.figures import Pictured, figures_svg, make_figure
from lisa_allennlp.visualisation.page import html_page
from lisa_allennlp.visualisation.terminal import render
from lisa_allennlp.visualisation.terminal_comparison import render_comparison
from lisa_allennlp.visualisation.terminal_heat_map import render_heat_map

_OF_TREES = ("head_indices", "head_tags", "allow_cycles")


@Subcommand.register("show")
class Show(Subcommand):
    """Shows sentences and annotated files in the terminal, as HTML or as SVG."""

    requires_plugins = True

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = show_arguments.add_parser(parser)
        subparser.set_defaults(func=show)
        return subparser


def show(args: argparse.Namespace) -> None:
    """
    Runs the command.

    # Raises

    `ConfigurationError`
        If an option does not fit, or a sentence cannot be labelled.
    `CorpusFormatError`
        If an annotated file is malformed, or differs from the one to compare.
    """
    shown = Shown(args)
    outputs = [(f"--{name}", getattr(args, name)) for name in ("html", "svg")]
    check_outputs([output for output in outputs if output[1]], *_inputs(args), force=args.force)
    if args.html or args.svg:
        _write(args, list(shown))
    else:
        for pictured in shown:
            _print(pictured)


def _inputs(args: argparse.Namespace) -> Iterator[str]:
    """The files and folders that the command reads, existing or not."""
    for name in [*args.arguments, *filter(None, [args.compare])]:
        if is_annotated(name):
            yield name
            yield parses_beside(name)
        elif os.path.exists(name) or name in pretrained.names():
            yield pretrained.resolve(name)
    yield args.frames or os.environ.get("LISA_FRAMES", "")
    yield from files_of_options(
        json_object("--predictor-args", args.predictor_args.strip() or "{}")
    )


class Shown:
    """The sentences to show. Models are opened when a sentence needs them."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        first = args.arguments[0] if args.arguments else ""
        self._model, self._given = pretrained.DEFAULT, list(args.arguments)
        if not is_annotated(first):
            self._model, self._given = model_and_sentences(args.arguments)
        for argument in args.arguments:
            if _is_missing(argument):
                raise ConfigurationError(
                    f"found no file {argument}; expected an annotated file or a sentence"
                )
        for argument in self._given:
            if os.path.isfile(argument) and not is_annotated(argument):
                raise no_sentence(argument, args.arguments, "show")
        self._labellers: Dict[str, Labeller] = {}

    def __iter__(self) -> Iterator[Pictured]:
        for item in given_or_piped(self._given):
            argument = self._given[item.position - 1] if self._given else ""
            yield from self._of_file(argument) if is_annotated(argument) else self._of_item(item)

    def _of_file(self, path: str) -> Iterator[Pictured]:
        compare = self._args.compare
        if compare is not None and not is_annotated(compare):
            expected = f"an annotated file, to compare with {path}"
            raise ConfigurationError(f"--compare: found '{compare}'; expected {expected}")
        annotated = read_annotated(path, parses=True)
        sentences = annotated.bare_sentences
        others: List[Optional[Sentence]] = [None] * len(sentences)
        if compare is not None:
            other_file = read_annotated(compare, parses=True)
            if annotated.has_words != other_file.has_words:
                for file in (annotated, other_file):
                    check_complete(file, [WORDS], "--compare")
            others = [*align(annotated, other_file).bare_sentences]
        names = _names(path, compare or "")
        for index, (sentence, other) in enumerate(zip(sentences, others, strict=True)):
            with _located(annotated.place(index)):
                yield self._pictured(sentence, other, names)

    def _of_item(self, item: Item) -> Iterator[Pictured]:
        if item.error:
            raise InputError(item.place, item.error, item.position)
        with _located(item.place):
            content = read_content(item.content)
        if _is_answer(content):
            for sentence, _ in parse_json_lines([decoded(item.content)], item.place):
                if self._args.compare is not None:
                    found = "an answer, which is labelled already"
                    raise InputError(item.place, f"--compare: found {found}; expected a sentence")
                with _located(item.place):
                    yield self._pictured(sentence)
            return
        labelled = self._label(self._model, item)
        others, names = self._others(item, content, len(labelled))
        for sentence, other in zip(labelled, others, strict=True):
            with _located(item.place):
                yield self._pictured(sentence, other, names)

    def _others(
        self, item: Item, content: Any, length: int
    ) -> Tuple[Sequence[Optional[Sentence]], Tuple[str, str]]:
        """Other readings of an input, and the names of both."""
        other = self._args.compare
        if other is None:
            return [None] * length, ("", "")
        if other != OWN:
            return self._label(other, item), _names(self._model, other)
        if not isinstance(content, Mapping) or "head_indices" not in content:
            expected = "a JSON object with `head_indices`"
            reason = f"--compare {OWN}: found an input without heads; expected {expected}"
            raise InputError(item.place, reason)
        bare = {key: content[key] for key in content if key not in _OF_TREES}
        item = item._replace(content=json.dumps(bare).encode())
        return self._label(self._model, item), ("given heads", "own parse")

    def _label(self, model: str, item: Item) -> List[Sentence]:
        if model not in self._labellers:
            self._labellers[model] = labeller_of(model, self._args)
        (labelled,) = label_items(self._labellers[model], [item], list, self._args.attention)
        return labelled

    def _pictured(
        self,
        sentence: Sentence,
        other: Optional[Sentence] = None,
        names: Tuple[str, str] = ("", ""),
    ) -> Pictured:
        if self._args.attention:
            own_attention(sentence)
        return Pictured(sentence, other, names, self._args.attention)


@contextmanager
def _located(place: str) -> Iterator[None]:
    """Adds the place of an input to errors."""
    try:
        yield
    except ConfigurationError as error:
        raise InputError(place, error.message) from error


def is_annotated(argument: str) -> bool:
    """Whether an argument names an annotated file by its ending, or a folder of such files."""
    if os.path.isdir(argument):
        return not pretrained.is_model_file(argument) and not pretrained.is_exported(argument)
    if not os.path.isfile(argument):
        return False
    return format_of_name(argument, ENDINGS) is not None


def _is_missing(argument: str) -> bool:
    """Whether an argument is one word that ends as an annotated file, but no such file exists."""
    is_name = len(argument.split()) == 1 and format_of_name(argument, ENDINGS) is not None
    return is_name and not os.path.exists(argument)


def _is_answer(content: Any) -> bool:
    """Whether a JSON object is labelled, as `lisa predict` writes it."""
    return isinstance(content, Mapping) and ("words" in content or SENTENCES in content)


def _names(path: str, other: str) -> Tuple[str, str]:
    """The names of two files or models, with their folders only if these tell them apart."""
    names = os.path.basename(path.rstrip("/")), os.path.basename(other.rstrip("/"))
    return names if names[0] != names[1] else (path, other)


def _print(pictured: Pictured) -> None:
    sentence, other, names, attention = pictured
    width = printed_width()
    console = Console(width=width, highlight=False, soft_wrap=True)
    if other is None:
        console.print(render(sentence, width))
    else:
        console.print(render_comparison(sentence, other, names, width))
    if attention:
        console.print()
        console.print(render_heat_map(sentence, width))
    console.print()


def _write(args: argparse.Namespace, shown: Sequence[Pictured]) -> None:
    width = args.width or None
    if args.html:
        write_output(args.html, html_page(shown, _title(args), args.theme, width))
    if args.svg:
        figures = [make_figure(pictured, width) for pictured in shown]
        write_output(args.svg, figures_svg(figures, args.theme) + "\n")


def _title(args: argparse.Namespace) -> str:
    """The files that are shown, or what they are compared with."""
    names = [os.path.basename(path) for path in args.arguments if is_annotated(path)]
    title = ", ".join(names) or "Labelled sentences"
    return f"{title}, compared with {os.path.basename(args.compare)}" if args.compare else title
