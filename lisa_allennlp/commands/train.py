"""
`lisa train`: trains a model from a config, from the beginning or from a trained model.

```
lisa train lisa_small -s out/sample
lisa train english --from english --train train.jsonl --dev dev.jsonl -s out/mine
lisa train english --from english --train my.corrections.jsonl --replay ewt.gold_conll -s out/mine
```
"""

import argparse
import os
from collections import ChainMap
from pathlib import Path
from typing import TYPE_CHECKING, Dict, List, Sequence

from lisa_allennlp.commands import options
from lisa_allennlp.commands.options import settings
from lisa_allennlp.common import config_files

if TYPE_CHECKING:
    from lisa_allennlp.scoring import Ratio
    from lisa_allennlp.sentence.sentence import Sentence

SCORES = ("arguments precision", "arguments recall", "arguments F1", "UAS", "LAS", "tags")

ENOUGH_TO_COMPARE = 30
"""On fewer sentences, hardly any difference can be told from chance."""


ARGUMENTS: options.Arguments = {
    "param_path CONFIG": "a config: a file, or one of the names below",
    "-s, --serialization-dir OUT": settings(
        "the folder for the model, its metrics and the log out.log", required=True
    ),
    "--from MODEL": settings(
        f"start from the weights of this model ({options.MODEL_HELP}) and extend its vocabulary "
        "by the labels and words of the corpus. The config must have the same network. Word "
        "vectors are not needed",
        dest="continue_from",
    ),
    "--train FILE": "annotated sentences to train on, instead of the config's; for LISA and SA in "
    "any format that `lisa convert` reads. With --from, also corrections from the page, of which "
    "every fifth accepted sentence is held out if there is no --dev",
    "--replay FILE": "with --from and --train: a corpus that the model knows, of which sentences "
    "are mixed in, so that it forgets nothing",
    "--dev FILE": "annotated sentences to validate on",
    "-r, --recover": "continue the interrupted training in OUT",
    "-f, --force": "delete OUT first if it exists",
    **options.changes('{"trainer.num_epochs": 5}'),
    "--node-rank NODE_RANK": settings(
        "the number of this node in distributed training", type=int, default=0
    ),
    "--dry-run": "read the data and build the vocabulary and the model, but do not train it",
    "--file-friendly-logging": "show progress in separate lines, and less often",
    **options.PACKAGES,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "docs/training.md describes what is shown and written. The configs that come with the "
        f"package: {', '.join(config_files.names())}"
    )
    options.add(parser, ARGUMENTS)


def run(args: argparse.Namespace) -> None:
    """
    Shows progress and a summary instead of the log, which is in `out.log`. The folder of a training
    that failed without weights is used again.
    """
    # Before tqdm is imported: a line of progress takes the place of AllenNLP's bars.
    os.environ.setdefault("TQDM_DISABLE", "1")
    from lisa_allennlp.commands.plugins import load_allennlp

    load_allennlp(args.include_package)
    from allennlp.common import logging as common_logging

    from lisa_allennlp.training.run import Sources, Workers, train

    common_logging.FILE_FRIENDLY_LOGGING = args.file_friendly_logging
    lines = train(
        args.param_path,
        Path(args.serialization_dir),
        overrides=args.overrides,
        sources=Sources(args.continue_from, args.train, args.dev, args.replay),
        recover=args.recover,
        force=args.force,
        dry_run=args.dry_run,
        workers=Workers(args.node_rank, args.include_package),
    )
    print("\n".join(lines))
    if args.continue_from is not None and args.node_rank == 0 and not args.dry_run:
        _compare(args.continue_from, Path(args.serialization_dir))


def _compare(before: str, folder: Path) -> None:
    from lisa_allennlp.training.output_folder import ARCHIVE_NAME
    from lisa_allennlp.training.progress import LINE
    from lisa_allennlp.training.run import sentences_to_compare_on

    LINE.show("comparing the model before and after")
    try:
        lines = before_and_after(
            before, str(folder / ARCHIVE_NAME), sentences_to_compare_on(folder)
        )
    finally:
        LINE.clear()
    print("\n".join(lines), end="\n" * bool(lines))


def before_and_after(before: str, after: str, gold: Sequence["Sentence"]) -> List[str]:
    """
    Labels sentences with a model before and after training, and returns a table of the scores and
    differences, with the paired bootstrap test, and the scores that fell. Sentences without tags,
    roles or a tree are left out; fewer than `ENOUGH_TO_COMPARE` get no table.
    """
    import lisa_allennlp
    from lisa_allennlp.formats.corrections import annotated_whole
    from lisa_allennlp.scoring import difference_table, paired_bootstrap

    whole = map(annotated_whole, gold)
    gold = [s for s in whole if None not in (s.pos, s.frames, s.parse)]
    if not gold:
        return []
    if len(gold) < ENOUGH_TO_COMPARE:
        found = f"{len(gold)} sentences that it did not learn from are too few to compare with"
        return ["", f"{found} {before}; expected {ENOUGH_TO_COMPARE}, such as a file for --dev"]
    old, new = (
        sentence_ratios(list(lisa_allennlp.load(model).pipe(s.words for s in gold)), gold)
        for model in (before, after)
    )
    differences = paired_bootstrap(old, new)
    table = difference_table(differences, "before", "after")
    lines = ["", f"{len(gold)} sentences that it did not learn from:", "", *table.splitlines()]
    worse = [d.score for d in differences if d.high < 0]
    if worse:
        lines += ["", f"The new model is worse than {before}: {', '.join(worse)}"]
    return lines


def sentence_ratios(
    predicted: Sequence["Sentence"], gold: Sequence["Sentence"]
) -> List[Dict[str, "Ratio"]]:
    """
    Returns each sentence's ratios of arguments, as in srl-eval.pl without lemmas, of trees without
    punctuation, as in eval.pl, if predicted, and of parts of speech.
    """
    from lisa_allennlp.scoring import Conll05Evaluation, ConllXEvaluation

    parts = [Conll05Evaluation(predicted, gold).sentence_ratios()]
    if all(sentence.parse is not None for sentence in predicted):
        parts.append(ConllXEvaluation(predicted, gold).sentence_ratios())
    parts.append([_tags(*pair) for pair in zip(predicted, gold, strict=True)])
    merged = [ChainMap(*of_sentence) for of_sentence in zip(*parts, strict=True)]
    return [{name: row[name] for name in SCORES if name in row} for row in merged]


def _tags(predicted: "Sentence", gold: "Sentence") -> Dict[str, "Ratio"]:
    pairs = zip(predicted.pos or [], gold.pos or [], strict=True)
    return {"tags": (sum(found == tag for found, tag in pairs), len(gold.words))}
