"""
What the commands `score` and `compare` share: the evaluations of files.
"""

import argparse
import json
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Optional,
    Sequence,
    Tuple,
)

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.commands.outputs import write_output
from lisa_allennlp.data.annotated_files import (
    ROLES,
    TREES,
    AnnotatedFile,
    align,
    check_complete,
    read_annotated,
)
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.scoring import (
    Conll05Evaluation,
    Conll18Evaluation,
    ConllXEvaluation,
    Evaluation,
    PrimeSrlEvaluation,
)


def evaluate_srl(args: argparse.Namespace, predictions: Sequence[str]) -> List[Evaluation]:
    """
    # Parameters

    args : `argparse.Namespace`
        The arguments of `lisa score srl`, or those of `lisa compare srl`.
    predictions : `Sequence[str]`
        The files to evaluate, by the same standard.

    # Returns

    `List[Evaluation]`
        One for each file.

    # Raises

    `ConfigurationError`
        If a file is malformed, the files do not have the same sentences, or options contradict each
        other.
    """
    is_primesrl = args.measure == "primesrl"
    if is_primesrl:
        _refuse(args, "conll05", "strict", "confusion", "latex")
    files = _read(args, predictions, ROLES, parses=is_primesrl)
    gold, *predicted = [file.bare_sentences for file in files]
    compare_lemmas = not args.ignore_lemmas and all(file.has_lemmas for file in files)
    if not is_primesrl:
        options = {name: getattr(args, name) for name in ("strict", "confusion", "latex")}
        return [
            Conll05Evaluation(sentences, gold, compare_lemmas=compare_lemmas, **options)
            for sentences in predicted
        ]
    compare_senses = all(file.has_senses for file in files)
    compare_heads = all(map(_has_parses, (gold, *predicted)))
    return [
        PrimeSrlEvaluation(sentences, gold, compare_senses, compare_lemmas, compare_heads)
        for sentences in predicted
    ]


def evaluate_parses(args: argparse.Namespace, predictions: Sequence[str]) -> List[Evaluation]:
    """As `evaluate_srl`, with the arguments of `lisa score parse`."""
    if args.measure == "conll18":
        _refuse(args, "conllx", "punctuation")
        for path, format in _paths_and_formats(args, predictions):
            _check_conllu(read_annotated(path, format))
        return [Conll18Evaluation(path, args.gold) for path in predictions]
    files = _read(args, predictions, TREES, parses=True)
    gold, *predicted = [file.bare_sentences for file in files]
    return [ConllXEvaluation(sentences, gold, args.punctuation) for sentences in predicted]


EVALUATIONS: Dict[str, Callable[[argparse.Namespace, Sequence[str]], List[Evaluation]]] = {
    "srl": evaluate_srl,
    "parse": evaluate_parses,
}
"""The functions that evaluate predictions, by task."""


def write_json(described: Dict[str, Any], destination: str) -> None:
    """Writes an object to a file, or prints it if the file is `-`."""
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    # What UTF-8 cannot encode in the names of files gets JSON's own escapes.
    write_output(destination, text.encode("utf-8", "backslashreplace").decode())


def _paths_and_formats(
    args: argparse.Namespace, predictions: Sequence[str]
) -> Iterator[Tuple[str, Optional[str]]]:
    """The gold file and the predictions, each with its format if an option names it."""
    yield args.gold, args.gold_format
    for path in predictions:
        yield path, args.predicted_format


def _read(
    args: argparse.Namespace, predictions: Sequence[str], part: str, parses: bool
) -> List[AnnotatedFile]:
    """The gold file and the predictions, which are aligned with it. All sentences have the part."""
    gold, *predicted = [
        read_annotated(path, format, parses=parses)
        for path, format in _paths_and_formats(args, predictions)
    ]
    files = [gold, *(align(gold, file) for file in predicted)]
    for file in files:
        check_complete(file, [part], f"--measure {args.measure}")
    return files


def _refuse(args: argparse.Namespace, measure: str, *options: str) -> None:
    for option in options:
        if getattr(args, option):
            raise ConfigurationError(
                f"--{option}: found --measure {args.measure}; expected --measure {measure}, which "
                "has this option"
            )


def _check_conllu(file: AnnotatedFile) -> None:
    if file.format != "conllu":
        raise ConfigurationError(
            f"--measure conll18: found {file.path} in the format {file.format}; expected CoNLL-U"
        )


def _has_parses(sentences: Sequence[Sentence]) -> bool:
    return all(sentence.parse is not None for sentence in sentences)
