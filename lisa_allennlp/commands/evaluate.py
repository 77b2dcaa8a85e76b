"""
`lisa evaluate`: scores a model on a corpus and prints the scores.

```
lisa evaluate out/sample/model.tar.gz fixtures/sample/test.gold_conll
```
"""

import argparse
import json
import os
import sys
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, cast

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import check_output, print_notes, write_output
from lisa_allennlp.commands.options import at_least
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError

if TYPE_CHECKING:
    from allennlp.models.archival import Archive

    from lisa_allennlp.labelling.lisa_labeller import LisaLabeller

Evaluate = Callable[[str, Optional[str]], Dict[str, Any]]

PYTORCH_ONLY = ("weights_file", "overrides", "include_package", "allow_type", "batch_size")


ARGUMENTS: options.Arguments = {
    "archive_file MODEL": options.MODEL_HELP,
    "input_file CORPUS": "the annotated corpus",
    "--output-file FILE": "write the scores to it, as JSON",
    "--predictions-output-file FILE": "write the predictions to it, as `lisa predict` does",
    **options.FORCE,
    **options.MODEL,
    **options.CUDA_DEVICE,
    **options.ENGINE,
    **options.ADAPTATION,
    "--batch-size BATCH_SIZE": at_least(
        1, "the number of sentences per batch, in PyTorch (default: the config's)"
    ),
    "--mst": "for LISA: also report mst_uas, mst_las ... for the best trees with a single root. As "
    "in the paper, uas and las score the best head of each token",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Of several corpora, separated by commas, each has an output file of its own."
    options.add(parser, ARGUMENTS)


def run(args: argparse.Namespace) -> None:
    """Prints a score per line, with the names of several files. Only PyTorch computes losses."""
    from lisa_allennlp.common.tables import format_table

    corpora = args.input_file.split(",")
    outputs = _outputs(args, "--output-file", args.output_file, corpora)
    predictions = _outputs(args, "--predictions-output-file", args.predictions_output_file, corpora)
    evaluate = _evaluate_without_pytorch(args) or _evaluate_in_pytorch(args)
    rows = []
    for corpus, output, predicted in zip(corpora, outputs, predictions, strict=True):
        scores = evaluate(corpus, predicted)
        if output is not None:
            write_output(output, json.dumps(scores, indent=2) + "\n")
        prefix = f"{Path(corpus).stem}_" if len(corpora) > 1 else ""
        for name, score in scores.items():
            rows.append((prefix + name, f"{score:.2f}" if isinstance(score, float) else score))
    print(format_table(rows))


def _evaluate_without_pytorch(args: argparse.Namespace) -> Optional[Evaluate]:
    """For a model that runs as it is, and reads corpora as `read_annotated` does."""
    from lisa_allennlp.inference.model import open_model
    from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
    from lisa_allennlp.models_on_disk.pretrained import resolve

    found: Any = args.engine == "torch" or _wants_pytorch(args)
    if not found:
        found = open_model(resolve(args.archive_file), precision=args.precision)
        if not isinstance(found, str):
            labeller = LisaLabeller(found, adaptation=args.adaptation)
            return partial(score_labeller, labeller, args.mst)
    if args.engine == "onnx" or args.precision == "int8":
        option = "--engine onnx" if args.engine == "onnx" else "--precision int8"
        raise ConfigurationError(f"{option}: found {found}; expected PyTorch's engine, torch")
    return None


def _wants_pytorch(args: argparse.Namespace) -> Optional[str]:
    """Names the first argument or part of the model that needs PyTorch."""
    from lisa_allennlp.models_on_disk.model_folder import read_config
    from lisa_allennlp.models_on_disk.pretrained import resolve

    if args.cuda_device >= 0:
        return "--cuda-device"
    if args.precision == "bfloat16":
        return "--precision bfloat16"
    for name in PYTORCH_ONLY:
        if getattr(args, name):
            return f"--{name.replace('_', '-')}"
    config = read_config(resolve(args.archive_file))
    reader = config.get("validation_dataset_reader") or config["dataset_reader"]
    has_other_trees = reader.get("parses_suffix") not in (None, ".conllu")
    if has_other_trees or any(key.startswith("injected") for key in reader):
        return "a dataset reader with other trees"
    return None if reader.get("max_instances") is None else "a dataset reader with max_instances"


def score_labeller(
    lisa: "LisaLabeller", with_mst: bool, corpus: str, predicted: Optional[str] = None
) -> Dict[str, Any]:
    from lisa_allennlp.english.languages import are_universal_tags
    from lisa_allennlp.formats.annotated_files import WORDS, check_complete, read_annotated
    from lisa_allennlp.formats.columns import check_verbs
    from lisa_allennlp.labelling.writing import to_json
    from lisa_allennlp.scoring.measures import score
    from lisa_allennlp.scoring.propositions import roles_of, unshared_roles
    from lisa_allennlp.sentence.request import Request, marks_of
    from lisa_allennlp.sentence.sentence import Sentence

    annotated = read_annotated(corpus, parses=True)
    check_complete(annotated, [WORDS], "the model")
    gold, requests = annotated.bare_sentences, []
    if are_universal_tags(lisa.engine.pos_tags or ()):
        gold = [s if s.upos is None else replace(s, pos=s.upos) for s in gold]
    for file, located in zip(annotated.files, annotated.sentences, strict=True):
        sentence = check_verbs(file, located).sentence
        given = marks_of(sentence) if lisa.engine.needs_predicates else None
        requests.append(Request(Sentence(sentence.words, extra=sentence.extra), predicates=given))
    asked = replace(lisa.engine.evaluation_options, adaptation=lisa.options.adaptation)
    labelled = lisa.label(requests, asked)
    if predicted is not None:
        with complete_file(predicted) as path:
            path.write_text("".join(map(to_json, labelled)), "utf-8", newline="\n")
    scores = score(labelled, gold)
    print_notes(unshared_roles(roles_of(labelled), roles_of(gold)))
    if with_mst and lisa.has_parse:
        parses = [Sentence(s.words, parse=s.parse) for s in lisa.label(requests)]
        scores.update({f"mst_{name}": value for name, value in score(parses, gold).items()})
    left_out = ["predicate_", "srl_v_"] if lisa.engine.needs_predicates else []
    if not lisa.predicts_senses:
        left_out.append("sense_")
    return {name: value for name, value in scores.items() if not name.startswith(tuple(left_out))}


def _evaluate_in_pytorch(args: argparse.Namespace) -> Evaluate:
    if not sys.stderr.isatty():
        # Before tqdm is imported: in a log, its bar would be a line per batch.
        os.environ.setdefault("TQDM_DISABLE", "1")
    from lisa_allennlp.commands.plugins import load_allennlp

    load_allennlp(args.include_package)
    from allennlp.common.params import parse_overrides
    from allennlp.common.util import prepare_environment

    from lisa_allennlp.models_on_disk.archives.opening import open_archive

    overrides = parse_overrides(args.overrides)
    if args.mst:
        overrides["model.report_mst"] = True
    if args.precision is not None:
        overrides["model.precision"] = args.precision
    archive = open_archive(
        args.archive_file, args.cuda_device, overrides, args.weights_file, args.allow_type
    )
    if args.adaptation is not None:
        _adapt(archive.model, args)
    archive.model.eval()
    prepare_environment(archive.config.duplicate())
    return partial(_evaluate_archive, args, archive)


def _adapt(model: Any, args: argparse.Namespace) -> None:
    from lisa_allennlp.decoding.adaptation import NO_SENSES, open_adaptation
    from lisa_allennlp.models_on_disk.model_folder import digest_of_weights
    from lisa_allennlp.models_on_disk.pretrained import resolve

    if not getattr(model, "predicts_senses", False):
        raise ConfigurationError(NO_SENSES)
    weights = digest_of_weights(resolve(args.archive_file), args.weights_file)
    adaptation = open_adaptation(args.adaptation, weights)
    model.evaluation_options = replace(model.evaluation_options, adaptation=adaptation)


def _outputs(
    args: argparse.Namespace, option: str, names: Optional[str], corpora: List[str]
) -> List[Optional[str]]:
    if names is None:
        return [None] * len(corpora)
    paths = names.split(",")
    if len(paths) != len(corpora):
        raise ConfigurationError(f"{option}: found {names!r}; expected {len(corpora)} names")
    for path in paths:
        check_output(option, path, args.archive_file, *corpora, force=args.force)
    return [*paths]


def _evaluate_archive(
    args: argparse.Namespace, archive: "Archive", corpus: str, predicted: Optional[str]
) -> Dict[str, Any]:
    from allennlp.common import Params
    from allennlp.data import DataLoader
    from allennlp.evaluation import Evaluator

    from lisa_allennlp.data.dataset_readers.srl_reader import SrlReader
    from lisa_allennlp.models.sentence_model import SentenceModel, label_strings
    from lisa_allennlp.scoring.propositions import roles_of, unshared_roles
    from lisa_allennlp.text.tokens import BRACKETS_NAMESPACE, BracketForms

    config = archive.config.duplicate()
    loader = config.get("validation_data_loader") or config["data_loader"]
    if args.batch_size is not None:
        loader.pop("batch_sampler", None)
        loader["batch_size"] = args.batch_size
    evaluation = {**(config.get("evaluation") or {}), "cuda_device": args.cuda_device}
    if predicted is not None and isinstance(archive.model, SentenceModel):
        evaluation["type"] = "corpus_order"
        # The evaluator reads the order of the corpus from the instances that the loader keeps.
        for name in ("num_workers", "max_instances_in_memory"):
            loader.pop(name, None)
    evaluator = Evaluator.from_params(Params(evaluation))
    reader = archive.validation_dataset_reader
    if isinstance(reader, SrlReader):
        reader.forms = BracketForms(label_strings(archive.model.vocab, BRACKETS_NAMESPACE))
    data_loader = DataLoader.from_params(loader, reader=reader, data_path=corpus)
    data_loader.index_with(archive.model.vocab)
    with nullcontext() if predicted is None else complete_file(predicted) as partial:
        scores = evaluator(archive.model, data_loader, predictions_output_file=partial)
    if labels := getattr(archive.model, "role_labels", None):
        metadata = (cast(Any, one["metadata"]) for one in data_loader.iter_instances())
        gold = (item["sentence"] for item in metadata)
        print_notes(unshared_roles({label[2:] for label in labels if label != "O"}, roles_of(gold)))
    return scores
