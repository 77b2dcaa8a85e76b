"""
`lisa find`: asks a labelled corpus who did what to whom.

```
lisa annotate reviews.csv --output labelled --table
lisa find labelled "Customers return WHAT"
lisa find labelled --sense complain.01 --count ARG1 --output complaints.csv
```
"""

import argparse
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Callable, Tuple

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import check_output, print_notes
from lisa_allennlp.commands.options import at_least, repeated, settings
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk import pretrained

if TYPE_CHECKING:
    from lisa_allennlp.apps.find import Question

_ASKED = ""
"""Stands for the roles that the question asks."""


def _named(expected: str, ranges: bool = False) -> Callable[[str], Tuple[str, str]]:
    def parse(text: str) -> Tuple[str, str]:
        from lisa_allennlp.apps.find.question import named_value

        try:
            return named_value(text, expected, ranges)
        except ConfigurationError as error:
            raise argparse.ArgumentTypeError(error.message) from error

    return parse


ARGUMENTS: options.Arguments = {
    "labelled LABELLED": "a folder of `lisa annotate --table`, or a table of events, .parquet or "
    ".csv",
    "question QUESTION": settings(
        "an English sentence with WHO, WHOM, WHAT, WHERE, WHEN, WHY or HOW in it, in capitals; "
        "SOMEBODY or SOMETHING for anything; or a question such as 'What did customers return?'",
        nargs="?",
    ),
    "--model MODEL": settings(
        f"what labels the question: {options.MODEL_HELP} (default: %(default)s)",
        default=pretrained.DEFAULT,
    ),
}
WHAT_TO_FIND: options.Arguments = {
    "--sense NAME": repeated("a roleset, such as return.02; may be repeated"),
    "--lemma NAME": repeated("a lemma or a name, such as 'give up'; may be repeated"),
    "--role ROLE=WORD": repeated(
        "what fills ARG0, ARGM-TMP ..., or who, what, to_whom, when, where, how or why: a word, "
        "which is compared with the lemma of the filler's head (shoe, shoe|boot); a phrase with a "
        "blank, or /a regular expression/, in the filler's text; ? for anything; * for anything "
        "or nothing. May be repeated",
        type=_named("ROLE=WORD"),
    ),
    "--negated": settings(
        "what did not happen: negated or denied events",
        action="store_const",
        const="negated",
        dest="polarity",
    ),
    "--any-polarity": settings(
        "also what did not happen, and what is wanted, possible, asked or conditional",
        action="store_const",
        const="any",
        dest="polarity",
    ),
    "--factuality VALUE": repeated(
        "asserted, denied, conditional, asked, wanted, possible, future, attributed or accused; "
        "may be repeated"
    ),
    "--where COLUMN=VALUE": repeated(
        "the value of another column, such as 'stars=1|2' or 'stars<3'; may be repeated. Without a "
        "question, the most frequent events there are listed",
        type=_named("COLUMN=VALUE", ranges=True),
    ),
    "--like": "also find rolesets of the same class of VerbNet, such as acquire.01 for buy.01",
}
ANSWERS: options.Arguments = {
    "--count ROLE": settings(
        "count what fills a role, by default the one that the question asks, by the lemma of its "
        "head, or the values of a column, such as event; repeated, they are counted together",
        action="append",
        nargs="?",
        const=_ASKED,
    ),
    "--no-pronouns": "leave out pronouns where fillers are counted",
    "--limit N": at_least(1, "the most hits or counts to print (default: %(default)s)", 20),
    "--show N": at_least(1, "draw the sentence of the N-th hit, labelled again by the model"),
    "--output FILE": "write all rows, or counts, to a file that ends with .csv, .jsonl or .parquet",
    **options.FORCE,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "docs/find.md has examples."
    options.add(parser, ARGUMENTS)
    changes = parser.add_argument_group("what to find, instead of or beside the question")
    options.add(changes, WHAT_TO_FIND, ("--negated", "--any-polarity"))
    options.add(parser, ANSWERS)
    parser.set_defaults(cuda_device=-1, include_package=[])


def run(args: argparse.Namespace) -> None:
    from rich.console import Console

    from lisa_allennlp.apps.find import Corpus, Question
    from lisa_allennlp.apps.find.concordance import (
        concordance,
        count_table,
        left_out_lines,
        question_line,
        salient_table,
        sense_line,
    )
    from lisa_allennlp.apps.find.corpus import ending_of
    from lisa_allennlp.apps.find.index import table_files
    from lisa_allennlp.apps.show.figures import Pictured
    from lisa_allennlp.apps.show.terminal import picture, printed_width

    files = map(str, table_files(args.labelled))
    check_output("--output", args.output, *files, force=args.force)
    if args.output:
        ending_of(args.output)
    corpus = Corpus(args.labelled, lambda note: print_notes([note]))
    labeller = lru_cache(None)(lambda: options.open_labeller(args.model, args))
    question = _question(args, labeller)
    chosen = question.senses[:1]
    if args.question is not None and not (args.sense or args.lemma):
        question = corpus.weighed(question)
    counted = args.count and [role for role in args.count if role != _ASKED]
    width = printed_width()
    console = Console(width=width, highlight=False, soft_wrap=True, markup=False)
    if question.is_open and not (args.output or args.count or args.show):
        table = salient_table(corpus.salient(question, args.limit), width)
        found = "the most frequent events" + ", against the rest" * bool(question.where)
        print(", ".join([found, *(f"{name} {value}" for name, value in question.where.items())]))
        print(f"\n{table}")
        print(f"\nfind: {corpus.number(question):,} of {len(corpus):,} events")
        return
    others = left_out_lines(corpus.left_out(question))
    if [*question.senses] != [*chosen]:
        numbers = corpus.senses(question)
        asked = [sense for sense in numbers if sense in question.senses]
        senses = {sense: numbers.get(sense, 0) for sense in [*asked, *question.senses, *chosen]}
        others.insert(0, sense_line(senses))
    console.print(question_line(question), *others, "", sep="\n")
    if args.output:
        rows = corpus.write(question, args.output, counted)
        print(f"find: wrote {rows:,} rows to {args.output}")
        return
    if args.count:
        counts = corpus.count(question, counted)
        shown = counts[: args.limit]
        print(count_table(shown, counted or question.asked, width))
        print(f"\nfind: {len(shown):,} of {len(counts):,} counts")
        return
    if args.show is not None:
        hits = corpus.find(question, 1, args.show - 1)
        if not hits:
            found = f"found {args.show}, but there are {corpus.number(question):,} hits"
            raise ConfigurationError(f"--show: {found}; expected the number of a hit")
        console.print(picture(Pictured(labeller()(hits[0].text)), width))
        return
    hits, number = corpus.find(question, args.limit), corpus.number(question)
    for line in concordance(hits, width):
        console.print(line)
    print(f"find: {len(hits):,} of {number:,} hits among {len(corpus):,} events")
    if number == 0 and (names := [*question.names, *question.lemmas]):
        known = corpus.number(Question(lemmas=names, polarity="any"))
        print(f"{known:,} of the corpus's events are named {' or '.join(names)}")


def _question(args: argparse.Namespace, labeller: Callable[[], Any]) -> "Question":
    """The question by example, changed by the options."""
    from lisa_allennlp.apps.find import Question, understand
    from lisa_allennlp.apps.find.query import one_name
    from lisa_allennlp.apps.find.question import POLARITIES, named_values

    asked = Question() if args.question is None else understand(args.question, labeller())
    return asked.changed(
        Question(
            args.sense,
            args.lemma,
            {one_name(role): value for role, value in args.role},
            polarity=args.polarity or POLARITIES[0],
            factuality=args.factuality,
            where=named_values(args.where),
            like=args.like,
            pronouns=not args.no_pronouns,
        )
    )
