"""Plans the commands that fill the tables of a paper."""

import json
import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from allennlp.common import Params

from experiments.jobs import Analysing, Drawing, Evaluating, Job, Predicting, Training
from experiments.settings import Settings
from experiments.systems import (
    Cell,
    Comparison,
    Evaluation,
    Figure,
    Network,
    Paper,
    networks_of,
)
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.model_files.opening import override
from lisa_allennlp.training import time_limit
from lisa_allennlp.training.configs import check_config

Source = Union[Evaluation, Comparison]
"""What fills a cell."""

Scoring = Union[Evaluating, Analysing]
"""A job that has scores."""


class Plan:
    """
    The jobs that fill the chosen cells, without duplicates, each after the jobs that it needs.

    # Raises

    `ConfigurationError`
        If the dev part of the corpus is missing.
    """

    def __init__(self, paper: Paper, settings: Settings) -> None:
        self.jobs: Dict[str, Job] = {}
        self._settings = settings
        self._corpus = paper.corpora[settings.data]
        known = Params.from_file(
            f"training_configs/{paper.parts}", ext_vars=dict(settings.environment)
        ).as_dict(quiet=True)
        self.parts: Dict[str, Dict[str, str]] = known["parts"]
        if settings.files:
            given = {part: settings.files.get(part) for part in ("dev", "test")}
            self.parts = {part: {"trees": path} for part, path in given.items() if path}
        self._elmo: str = known.get("elmo", "")
        self._gate_words: List[str] = known.get("gate_words", [])
        for path in self.parts["dev"].values():
            if not _local(path).exists():
                raise ConfigurationError(
                    f"{_local(path)}: found no such file or folder; expected the dev part of "
                    f"{self._corpus}"
                )

    @property
    def trainings(self) -> List[Training]:
        """All trainings."""
        return [job for job in self.jobs.values() if isinstance(job, Training)]

    @property
    def networks(self) -> List[str]:
        """The names of all networks to train."""
        return list(dict.fromkeys(training.network for training in self.trainings))

    def check_configs(self) -> None:
        """
        Checks the configs of all trainings with the user's overrides.

        # Raises

        `ConfigurationError`
            As in `check_config`, and for overrides that do not fit a config.
        """
        if not self._settings.overrides and not self._settings.network_overrides:
            return
        for training in {training.network: training for training in self.trainings}.values():
            config = Params.from_file(training.config, ext_vars=dict(self._settings.environment))
            source = f"{training.config} with --set and --overrides"
            check_config(override(config.as_dict(quiet=True), training.overrides, source), source)

    def reason_to_skip(self, source: Source) -> Optional[str]:
        """The reason why models cannot be evaluated on this corpus; `None` if they can."""
        if source.part not in self.parts:
            return f"{self._corpus} has no part '{source.part}'"
        for path in self.parts[source.part].values():
            if not _local(path).exists():
                return f"{_local(path)} is missing"
        return self._reason_not_to_train(networks_of(source.evaluations))

    def add(self, cell: Cell) -> Sequence[Scoring]:
        """
        # Returns

        `Sequence[Scoring]`
            The jobs that fill a cell, one per seed.
        """
        if isinstance(cell.source, Comparison):
            return [self._add_analysis(cell.source, seed) for seed in self._seeds()]
        return [self._add_evaluation(cell.source, seed) for seed in self._seeds()]

    def reason_not_to_draw(self, figure: Figure) -> Optional[str]:
        """The reason why a figure cannot be drawn on this corpus; `None` if it can."""
        if figure.comparison is not None:
            return self.reason_to_skip(figure.comparison)
        return self._reason_not_to_train(figure.all_networks)

    def add_figure(self, figure: Figure) -> Job:
        """
        # Returns

        `Job`
            The job that draws a figure. Curves are of all seeds, everything else of the first.
        """
        if figure.comparison is not None:
            return self._add_analysis(figure.comparison, self._seeds()[0])
        output = self._settings.out / "figures" / f"figure{figure.number}.svg"
        command, needs = [figure.kind, str(output)], []
        for name, network in figure.networks.items():
            for seed in self._seeds() if figure.kind == "curves" else self._seeds()[:1]:
                training = self.add_training(network, seed)
                needs.append(training)
                run = str(training.output)
                command.append(f"{name}={run}" if figure.kind == "curves" else run)
        return self._keep(
            Drawing(f"draw-figure{figure.number}", output, tuple(needs), command=tuple(command))
        )

    def _seeds(self) -> List[Optional[int]]:
        return list(self._settings.seeds) or [None]

    def _reason_not_to_train(self, networks: Sequence[Network]) -> Optional[str]:
        return next(filter(None, map(self._reason_against, networks)), None)

    def _reason_against(self, network: Network) -> Optional[str]:
        size = self._settings.size
        if not Path(self._config(network)).exists():
            return f"{self._config(network)} is missing"
        if network.needs_elmo_at(size) and not self._elmo.startswith(("http:", "https:")):
            options = Path(f"{self._elmo}options.json")
            if not options.exists():
                return f"no ELMo: {options} is missing (LISA_ELMO)"
        return None

    def _config(self, network: Network) -> str:
        return config_file(network, self._settings.size)

    def _keep(self, job: Any) -> Any:
        return self.jobs.setdefault(job.name, job)

    def add_training(self, network: Network, seed: Optional[int]) -> Training:
        """The job that trains a network."""
        settings = self._settings
        network_name = network.name_at(settings.size)
        name = network_name if seed is None else f"{network_name}.seed{seed}"
        environment = {k: v for k, v in settings.environment.items() if v}
        if settings.max_hours is not None:
            environment[time_limit.VARIABLE] = str(settings.max_hours)
        return self._keep(
            Training(
                f"train-{name}",
                settings.out / "models" / name,
                environment=environment,
                network=network_name,
                config=self._config(network),
                overrides=self.overrides(network),
                seed=seed,
                max_hours=settings.max_hours,
            )
        )

    def overrides(self, network: Network) -> Dict[str, Any]:
        """The overrides of a network's config, without those of a seed."""
        settings = self._settings
        overrides = dict(network.overrides)
        if network.records_gates:
            recorder = {"type": "gate_recorder", "words": self._gate_words}
            overrides["trainer.callbacks"] = ["time_limit", recorder]
        if settings.files:
            overrides["train_data_path"] = settings.files["train"]
            overrides["validation_data_path"] = settings.files["dev"]
        changes = settings.network_overrides.get(network.name_at(settings.size), {})
        return {**overrides, **settings.overrides, **changes}

    def _add_prediction(self, evaluation: Evaluation, seed: Optional[int]) -> Predicting:
        """The job that writes a model's trees or, for LISA and SA, roles."""
        training = self.add_training(evaluation.network, seed)
        name, overrides, needs = self._injected(evaluation, seed)
        is_parser = evaluation.network.reads == "trees"
        folder, suffix = ("parses", "conllu") if is_parser else ("predictions", "jsonl")
        output = self._settings.out / folder / f"{training.output.name}.{name}.{suffix}"
        data = self.parts[evaluation.part][evaluation.network.reads]
        command = ["predict", str(training.model), data, "--use-dataset-reader", "--silent"]
        command += ["--output-file", str(output), *_overrides(overrides), *self._device()]
        return self._keep(
            Predicting(
                f"predict-{training.output.name}.{name}",
                output,
                (training, *needs),
                data=self._files(evaluation.part),
                command=tuple(command),
            )
        )

    def _add_evaluation(self, evaluation: Evaluation, seed: Optional[int]) -> Evaluating:
        training = self.add_training(evaluation.network, seed)
        name, overrides, needs = self._injected(evaluation, seed)
        name = f"{training.output.name}.{name}"
        if evaluation.variant:
            name += f".{evaluation.variant}"
        data = self.parts[evaluation.part][evaluation.network.reads]
        output = self._settings.out / "scores" / f"{name}.json"
        command = ["evaluate", str(training.model), data, "--output-file", str(output)]
        command += [*_overrides({**evaluation.overrides, **overrides}), *self._device()]
        return self._keep(
            Evaluating(
                f"evaluate-{name}",
                output,
                (training, *needs),
                data=self._files(evaluation.part),
                command=tuple(command),
            )
        )

    def _injected(
        self, evaluation: Evaluation, seed: Optional[int]
    ) -> Tuple[str, Dict[str, Any], List[Job]]:
        """The part and the injected trees: as a name, as overrides, and the jobs that make them."""
        if evaluation.parser is not None:
            parsing = self._add_prediction(Evaluation(evaluation.parser, evaluation.part), seed)
            overrides = {"dataset_reader.injected_parses_path": str(parsing.output)}
            return f"{evaluation.part}+dm", overrides, [parsing]
        if evaluation.gold_trees:
            overrides = {"dataset_reader.injected_parses_suffix": ".conllu"}
            return f"{evaluation.part}+gold", overrides, []
        return evaluation.part, {}, []

    def _add_analysis(self, comparison: Comparison, seed: Optional[int]) -> Analysing:
        part = comparison.part
        name = part if seed is None else f"{part}.seed{seed}"
        folder = self._settings.out / "analysis" / name
        command, needs = ["analyze", "--gold", self.parts[part]["roles"]], []
        for system, evaluation in comparison.systems.items():
            needs.append(self._add_prediction(evaluation, seed))
            command += ["--pred", f"{system}={needs[-1].output}"]
        for parser, network in comparison.parsers.items():
            needs.append(self._add_prediction(Evaluation(network, part), seed))
            command += ["--parse", f"{parser}={needs[-1].output}"]
        command += ["--out", str(folder)]
        return self._keep(
            Analysing(
                f"analyze-{name}",
                folder / "report.json",
                tuple(needs),
                data=self._files(part),
                command=tuple(command),
            )
        )

    def _files(self, part: str) -> Tuple[Path, ...]:
        return tuple(map(_local, dict.fromkeys(self.parts[part].values())))

    def _device(self) -> List[str]:
        device = self._settings.cuda_device
        return [] if device < 0 else ["--cuda-device", str(device)]


def config_file(network: Network, size: str) -> str:
    """The config of a network at a size, relative to the checkout."""
    return f"training_configs/{network.config_at(size)}.jsonnet"


def _overrides(overrides: Mapping[str, Any]) -> List[str]:
    return ["-o", json.dumps(overrides)] if overrides else []


def _local(path: str) -> Path:
    """The file or folder of a path that may end with sections, as in `AUTO#23`."""
    return Path(path if os.path.exists(path) else path.partition("#")[0])
