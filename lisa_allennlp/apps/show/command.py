"""
`lisa show`: pictures of labelled sentences.

```
lisa show "The cat that I saw had slept ."
lisa show dev.conllu --html dev.html
lisa show "Time flies." --compare english-fast
```
"""

import argparse
import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Optional, Sequence, Set, Tuple

from lisa_allennlp.apps.show.theme import THEMES
from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import check_output, print_notes, write_output
from lisa_allennlp.commands.options import at_least, settings
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk import pretrained

if TYPE_CHECKING:
    from lisa_allennlp.apps.show.figures import Pictured
    from lisa_allennlp.labelling.labeller import Labeller
    from lisa_allennlp.sentence.sentence import Sentence

OWN = "own"

_KEYS_OF_TREES = ("head_indices", "head_tags", "allow_cycles")


TEXT = (
    "raw text to label, or JSON as `lisa predict` reads or writes it. Annotated sentences, such as "
    "predictions, are drawn as they are"
)
ARGUMENTS: options.Arguments = {
    **options.sentences(TEXT),
    "--html FILE": "write a page for browsers; - prints it",
    "--svg FILE": "write all pictures as one; - prints it",
    **options.FORCE,
    "--theme": settings(
        "the colours of --html and --svg (default: auto, as the reader's system)",
        choices=THEMES,
        default=THEMES[0],
    ),
    "--width PIXELS": at_least(
        0,
        "the width of the pictures of --html and --svg: longer sentences have several lines "
        "(default: %(default)s, for pages on a screen of 1280); 0 for one line",
        1200,
    ),
    "--compare OTHER": "mark what differs from another annotated file of the same sentences, count "
    "it, and leave out the sentences without differences; or, for sentences to label, mark what "
    f"differs from another model's answers, or, with '{OWN}', from those with the model's own "
    "parse instead of the `head_indices` given",
    "--all": "with --compare, also show the sentences of files that do not differ",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "docs/show.md has examples. `lisa label` prints tables instead."
    options.add(parser, ARGUMENTS)


def run(args: argparse.Namespace) -> None:
    from lisa_allennlp.apps.show.comparison import has_differences, summary
    from lisa_allennlp.apps.show.figures import figures_svg, make_figure
    from lisa_allennlp.apps.show.page import html_page
    from lisa_allennlp.labelling.sources import is_annotated

    read = (*args.arguments, args.compare)
    for output, ending in ((args.html, ".html"), (args.svg, ".svg")):
        check_output(f"--{ending[1:]}", output, *read, force=args.force, ending=ending)
    annotated = [path for path in args.arguments if is_annotated(path, args.input_format)]
    shown, line = _pictures(args, annotated), None
    if args.compare is not None and annotated:
        compared = list(shown)
        line = summary(compared)
        shown = iter(compared if args.all else filter(has_differences, compared))
    if not (args.html or args.svg):
        if line:
            print(f"{line}\n")
        for pictured in shown:
            _print(pictured)
        return
    pictures, width = list(shown), args.width or None
    if args.html:
        title = ", ".join(map(os.path.basename, annotated)) or "Labelled sentences"
        other = f", compared with {os.path.basename(args.compare)}" if args.compare else ""
        write_output(args.html, html_page(pictures, title + other, args.theme, width, line))
    if args.svg:
        figures = [make_figure(pictured, width) for pictured in pictures]
        write_output(args.svg, figures_svg(figures, args.theme) + "\n")


def _pictures(args: argparse.Namespace, annotated: Sequence[str]) -> Iterator["Pictured"]:
    """Models are opened when a sentence needs them."""
    from lisa_allennlp.apps.show.figures import Pictured
    from lisa_allennlp.labelling.sources import open_source
    from lisa_allennlp.labelling.unknown_words import UnknownWords

    model, given = pretrained.DEFAULT, args.arguments
    if not given or given[0] not in annotated:
        model, given = options.model_and_sentences(given)
    chosen = options.labeller_options(args)
    opened = lru_cache(None)(lambda name: options.open_labeller(name, args, **chosen))
    labelled: Set[str] = set()
    for number, argument in enumerate(given, start=1):
        if argument in annotated:
            yield from (Pictured(*reading) for reading in _read_file(argument, args))
            continue
        name = f"sentence {number}"
        with open_source(argument, args.input_format, args.text_column, name) as source:
            for place, content in source.inputs():
                readings = _label_text(place, content, model, opened, args, labelled)
                yield from (Pictured(*reading) for reading in readings)
    if labelled:
        words = UnknownWords(opened(model).engine)
        words.add(labelled)
        print_notes(filter(None, [words.notice]))


_Readings = Iterator[Tuple["Sentence", Optional["Sentence"], Tuple[str, str]]]


def _read_file(path: str, args: argparse.Namespace) -> _Readings:
    from lisa_allennlp.formats.annotated_files import (
        WORDS,
        check_complete,
        check_same_sentences,
        read_annotated,
    )
    from lisa_allennlp.labelling.sources import is_annotated

    annotated, compared = read_annotated(path, args.input_format, True), args.compare
    sentences = annotated.bare_sentences
    is_printed = not (args.html or args.svg)
    if is_printed and all(sentence.frames is None for sentence in sentences):
        note = "it has no roles and is drawn as it is; lisa predict adds roles to a file"
        print_notes([f"{path}: {note}"])
    others: Sequence[Optional[Any]] = [None] * len(sentences)
    if compared is not None:
        if not is_annotated(compared):
            expected = f"an annotated file, to compare with {path}"
            raise ConfigurationError(f"--compare: found '{compared}'; expected {expected}")
        other_file = read_annotated(compared, parses=True)
        if annotated.has_words != other_file.has_words:
            for file in (annotated, other_file):
                check_complete(file, [WORDS], "--compare")
        check_same_sentences(annotated, other_file)
        others = other_file.bare_sentences
    names = [_names(path, compared or "")] * len(sentences)
    return zip(sentences, others, names, strict=True)


def _label_text(
    place: str,
    content: Any,
    model: str,
    opened: Callable[[str], "Labeller"],
    args: argparse.Namespace,
    labelled: Set[str],
) -> _Readings:
    """Labels an input, whose words it adds to `labelled`, or reads an answer of `lisa predict`."""
    from lisa_allennlp.labelling.sources import annotated_sentences, label

    if sentences := annotated_sentences(place, content):
        if args.compare is not None:
            found = "found an answer, which is labelled already"
            raise ConfigurationError(f"{place}: --compare: {found}; expected a sentence")
    else:
        sentences = label(opened(model), place, content)
        labelled.update(word for sentence in sentences for word in sentence.words)
    others: Sequence[Optional[Any]] = [None] * len(sentences)
    names = ("", "")
    if args.compare == OWN:
        if not isinstance(content, Mapping) or "head_indices" not in content:
            found = "found an input without heads; expected a JSON object with `head_indices`"
            raise ConfigurationError(f"{place}: --compare {OWN}: {found}")
        bare = {key: content[key] for key in content if key not in _KEYS_OF_TREES}
        others, names = label(opened(model), place, bare), ("given heads", "own parse")
    elif args.compare is not None:
        others, names = label(opened(args.compare), place, content), _names(model, args.compare)
    return zip(sentences, others, [names] * len(sentences), strict=True)


def _names(path: str, other: str) -> Tuple[str, str]:
    """Shortens paths to their last part where these differ."""
    names = os.path.basename(path.rstrip("/")), os.path.basename(other.rstrip("/"))
    return names if names[0] != names[1] else (path, other)


def _print(pictured: "Pictured") -> None:
    from rich.console import Console

    from lisa_allennlp.apps.show.terminal import picture, printed_width

    width = printed_width()
    console = Console(width=width, highlight=False, soft_wrap=True)
    console.print(picture(pictured, width), "\n", sep="")
