"""
`lisa adapt`: learns from corrected sentences at once, without training.

```
lisa adapt english corrections -o notes.adaptation
lisa label english notes.txt --adaptation notes.adaptation
```
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Iterator, List

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import check_output
from lisa_allennlp.commands.options import settings
from lisa_allennlp.common.errors import ConfigurationError

ARGUMENTS: options.Arguments = {
    "model MODEL": f"{options.MODEL_HELP}, which predicts rolesets",
    "inputs FILE": settings(
        "files of corrections or of annotated sentences, or a folder of them. Of corrected "
        "sentences, only accepted ones count",
        nargs="+",
    ),
    "-o, --output ADAPTATION": settings("the file to write, some kB", required=True),
    **options.FORCE,
    **options.CUDA_DEVICE,
    **options.ENGINE,
    **options.PACKAGES,
    **options.ALLOWED_TYPES,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "docs/correcting.md describes the method and its effect."
    options.add(parser, ARGUMENTS)


def run(args: argparse.Namespace) -> None:
    from lisa_allennlp.common.complete_files import complete_file
    from lisa_allennlp.decoding.adaptation import can_learn, examples_of, fit_adaptation
    from lisa_allennlp.formats.annotated_files import read_annotated
    from lisa_allennlp.formats.corrections import annotated_whole, check_corrections

    check_output("--output", args.output, *args.inputs, force=args.force)
    labeller = options.open_labeller(
        args.model,
        args,
        engine=args.engine,
        precision=args.precision,
        allow_types=args.allow_type,
    )
    if not can_learn(labeller.engine):
        raise ConfigurationError(
            f"{args.model}: found {labeller.engine.description}; expected a model that finds "
            "predicates and their rolesets"
        )
    sentences = []
    for path in _files(args.inputs):
        for sentence, (line, *_) in read_annotated(path).sentences:
            check_corrections(path, line, sentence)
            sentences.append(annotated_whole(sentence))
    known = [sentence for sentence in sentences if sentence.frames is not None]
    if not known:
        raise ConfigurationError(
            f"{', '.join(args.inputs)}: found {len(sentences):,} sentences, none of them accepted "
            "or annotated with roles; expected such sentences"
        )
    examples = examples_of(labeller.label, known, labeller.options)
    with complete_file(args.output) as partial:
        fitted = fit_adaptation(examples, len(known))
        replace(fitted, model=labeller.engine.weights).save(partial)
    new = sum(example.is_new for example in examples)
    print(
        f"adapt: {len(known):,} sentence{'s' * (len(known) != 1)}, with {len(examples):,} choices "
        f"of a roleset or a role, of which the model makes {new:,} otherwise; they repeat with "
        f"{len(fitted.lemmas):,} lemma{'s' * (len(fitted.lemmas) != 1)}"
    )


def _files(inputs: List[str]) -> Iterator[str]:
    from lisa_allennlp.formats.corrections import ENDING

    for path in inputs:
        yield from sorted(map(str, Path(path).glob(f"*{ENDING}"))) or [path]
