"""
What differs from a paper's protocol, derived from the configs, the corpus and the trainings.
"""

import json
import os
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple

from allennlp.common import Params
from allennlp.common.params import with_overrides

from experiments.jobs import Training
from experiments.papers.parts import Evaluation, Figure, Network, Paper, Table, networks_of
from experiments.papers.plan import Plan, config_file
from experiments.papers.settings import UNKNOWN_CORPUS, VARIABLES, Settings

_NOT_COMPARED = (
    "dataset_reader.corpus_format",
    # What is said of the tags is in a line of its own.
    "dataset_reader.pos_folder",
    "dataset_reader.pos_suffix",
    "dataset_reader.use_predicted_pos",
    # The papers' networks predict V as other roles, as `lisa reproduce` lets them.
    "model.force_verb",
    "trainer.callbacks",
    "validation_data_loader",
    "vocabulary",
)
"""Keys that follow from the corpus, the run or other keys."""

_GLOVE = ("glove.6B.100d.txt", "glove.6B.200d.txt")

_ONE_BILLION_WORDS = "elmo_2x4096_512_2048cnn_2xhighway_"
"""How the files of the ELMo begin that was trained on the 1-billion-word benchmark."""


class Protocol:
    def __init__(self, paper: Paper, settings: Settings, plan: Plan) -> None:
        self._paper = paper
        self._settings = settings
        self._plan = plan
        # The report is written after every job, but configs do not change.
        self._read: Dict[str, Tuple[Dict[str, Any], List[str]]] = {}

    def of_table(self, table: Table) -> List[str]:
        sources = [cell.source for row in table.rows for cell in row.cells if cell]
        sources = [s for s in sources if self._plan.reason_to_skip(s) is None]
        evaluations = [evaluation for source in sources for evaluation in source.evaluations]
        networks = networks_of(evaluations)
        lines = [*self._corpus(table), *table.remarks, *_not_in_the_paper(table)]
        lines += [*self._of_networks(networks), *self._parsers(evaluations)]
        return list(dict.fromkeys(lines))

    def of_figure(self, figure: Figure) -> List[str]:
        lines = [f"Trained on {self._paper.corpora[self._settings.data]}."]
        if figure.kind != "curves" and len(self._settings.seeds) > 1:
            lines.append(f"Of the first seed only, {self._settings.seeds[0]}.")
        lines += self._of_networks(figure.all_networks)
        if figure.comparison is not None:
            lines += self._parsers(figure.comparison.evaluations)
        return list(dict.fromkeys(lines))

    def of_network(self, network: Network) -> List[str]:
        """Returns how the config differs from the paper's, at published size on its corpus."""
        return self._config_and_changes(network)[1]

    def _config_and_changes(self, network: Network) -> Tuple[Dict[str, Any], List[str]]:
        size = self._settings.size
        name = network.name_at(size)
        if name not in self._read:
            environment = {
                "LISA_DATA": self._paper.reference,
                "LISA_CORPUS": UNKNOWN_CORPUS,
                # The paper's treebanks come with word vectors.
                "LISA_VECTORS": os.path.join(UNKNOWN_CORPUS, _GLOVE[0]),
            }
            file = config_file(network, size)
            config = _config(file, self._settings.environment, self._plan.overrides(network))
            theirs = _config(
                config_file(network, "published"), environment, self._plan.paper_overrides(network)
            )
            # The reader's type is that of the corpus's format.
            reader = {**config["dataset_reader"], "type": theirs["dataset_reader"]["type"]}
            changes = _changes(theirs, {**config, "dataset_reader": reader})
            self._read[name] = config, [text for key, text in changes if not _is_ignored(key)]
        return self._read[name]

    def _corpus(self, table: Table) -> Iterator[str]:
        published = {corpus for row in table.rows for corpus in row.published}
        if published and self._settings.data not in published:
            names = " and ".join(sorted(self._paper.corpora[corpus] for corpus in published))
            yield f"Measured on {self._paper.corpora[self._settings.data]}; the paper's is {names}."

    def _of_networks(self, networks: Sequence[Network]) -> Iterator[str]:
        size = self._settings.size
        changed = [n.name_at(size) for n in networks if self.of_network(n)]
        if changed:
            names = ", ".join(f"`{name}`" for name in changed)
            yield f"Configs that differ from the paper's (see Networks): {names}."
        for network in networks:
            yield from _inputs(self._config_and_changes(network)[0])
        yield from self._trainings([network.name_at(size) for network in networks])

    def _trainings(self, names: Sequence[str]) -> Iterator[str]:
        if len(self._settings.seeds) < 2:
            yield "One training of each network, so differences may be chance."
        for training in self._plan.trainings:
            cut = training.cut() if training.network in names else None
            if cut is not None:
                yield (
                    f"`{training.output.name}` was cut by the time limit of {cut['max_hours']:g} "
                    f"hours after {cut['epochs']} of at most {cut['num_epochs']} epochs."
                )

    def _parsers(self, evaluations: Sequence[Evaluation]) -> Iterator[str]:
        """Yields what is said of the tags and the development data of the D&M parsers."""
        tags: Dict[str, List[str]] = {}
        for parser in networks_of(evaluations):
            if parser.reads != "trees":
                continue
            config, _ = self._config_and_changes(parser)
            name = f"`{parser.name_at(self._settings.size)}`"
            # The row "no tags" is one of the paper's.
            if "model.pos_tag_embedding" not in parser.overrides:
                tags.setdefault(tags_read(config), []).append(name)
            on_dev = config["validation_data_path"] == self._plan.parts["dev"]["trees"]
            if self._settings.data == "conll2005" and on_dev:
                yield f"{name} is validated on section 24; the paper's parser on section 22."
        theirs = "a tagger's predictions" + (", for CTB gold ones" * bool(self._paper.treebanks))
        for read, names in tags.items():
            yield f"Tags: {read} (read by {', '.join(names)}); the paper's are {theirs}."


def tags_read(config: Mapping[str, Any]) -> str:
    if config["model"].get("pos_tag_embedding") is None:
        return "none"
    reader = config["dataset_reader"]
    if reader.get("use_predicted_pos"):
        return "the predicted tags in the treebank"
    if reader.get("pos_folder"):
        return "those that LISA predicts, of its own training data too"
    if reader.get("pos_suffix"):
        return f"those of the files *{reader['pos_suffix']} beside the treebank"
    column = "XPOS" if reader.get("use_language_specific_pos") else "UPOS"
    return f"the {column} column of the treebank, gold tags unless you have replaced them"


def trainings_table(trainings: Sequence[Training]) -> List[List[str]]:
    """For each complete training: its name, its epochs, the best epoch, and its duration."""
    rows = []
    for training in trainings:
        file = training.output / "metrics.json"
        if not file.exists():
            continue
        metrics = json.loads(file.read_text())
        rows.append(
            [
                f"`{training.output.name}`",
                str(training.epochs_done()),
                str(int(metrics["best_epoch"]) + 1),
                # Missing if a continued training had no epochs left.
                metrics.get("training_duration", "0:00:00").partition(".")[0],
            ]
        )
    return rows


def _inputs(config: Mapping[str, Any]) -> Iterator[str]:
    """Yields what is said of the networks' word vectors, ELMo and decoders."""
    flat = _flat(config)
    prefix = "model.text_field_embedder.token_embedders."
    vectors = flat.get(f"{prefix}tokens.pretrained_file")
    if vectors is not None and os.path.basename(vectors) not in _GLOVE:
        yield f"Word vectors: `{os.path.basename(vectors)}`; the paper's are GloVe's."
    if vectors is None and f"{prefix}tokens.type" in flat:
        yield "Word vectors: learned from nothing; the paper's are GloVe's."
    elmo = flat.get(f"{prefix}elmo.weight_file")
    if elmo is not None:
        name = os.path.basename(elmo).removesuffix("weights.hdf5")
        if name != _ONE_BILLION_WORDS:
            yield (
                f"ELMo: `{elmo}`; the authors used the original one, trained on the "
                "1-billion-word benchmark."
            )
    decoder = flat.get("model.role_decoder.type")
    transitions = flat.get("model.role_decoder.transitions", "scaled_likelihood")
    if decoder == "viterbi" and transitions != "probability":
        yield (
            f"Roles are decoded by Viterbi with transitions `{transitions}`; the authors' code "
            "adds raw probabilities to log scores."
        )


def _not_in_the_paper(table: Table) -> Iterator[str]:
    rows = [f'"{row.label}"' for row in table.rows if not row.published]
    columns = [
        f'"{column}"'
        for position, column in enumerate(table.columns)
        if all(f[position] is None for row in table.rows for f in row.published.values())
    ]
    if rows and len(rows) < len(table.rows):
        yield f"Rows that the paper does not have: {', '.join(rows)}."
    if columns and len(columns) < len(table.columns):
        yield f"Columns that the paper does not have: {', '.join(columns)}."


def _config(
    file: str, environment: Mapping[str, str], overrides: Mapping[str, Any]
) -> Dict[str, Any]:
    given = {**dict.fromkeys(VARIABLES, ""), "LISA_TRANSFORMER": "", **environment}
    config = Params.from_file(file, ext_vars=given).as_dict(quiet=True)
    return with_overrides(config, dict(overrides))


def _changes(theirs: Any, ours: Any, key: str = "") -> Iterator[Tuple[str, str]]:
    """Yields the changed keys of a config, each with a text that has both values."""
    if theirs == ours:
        return
    # Objects of one type have keys with the same meaning; lists of objects are compared in order.
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        if any(isinstance(item, (dict, list)) for item in theirs):
            theirs, ours = dict(enumerate(theirs)), dict(enumerate(ours))
    both = isinstance(theirs, dict) and isinstance(ours, dict)
    if both and theirs.get("type") == ours.get("type"):
        for name in sorted({*theirs, *ours}):
            inner = f"{key}.{name}" if key else name
            yield from _changes(theirs.get(name), ours.get(name), inner)
    else:
        yield key, f"`{key}`: {_shown(ours)} (paper's config: {_shown(theirs)})"


def _shown(value: Any) -> str:
    return "none" if value is None else f"`{json.dumps(value)}`"


def _flat(config: Mapping[str, Any], prefix: str = "") -> Dict[str, Any]:
    flat: Dict[str, Any] = {}
    for key, value in config.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat


def _is_ignored(key: str) -> bool:
    # The names of files differ on every machine.
    return key.endswith(("_path", "_file")) or key.startswith(_NOT_COMPARED)
