"""Plans the commands that fill the tables of a paper."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from experiments.jobs import Evaluating, Job, Parsing, Training
from experiments.systems import Cell, Evaluation, Network, Paper


@dataclass(frozen=True)
class Settings:
    """
    The corpus, the size of the networks and their training options.

    # Parameters

    out : `Path`
        The folder for models, parses, scores, logs and reports.
    environment : `Mapping[str, str]`
        `LISA_DATA` and, if set, `LISA_CORPUS`, `LISA_VECTORS` and `LISA_ELMO`.
    size : `str`
        `published` or `small`.
    seeds : `Tuple[int, ...]`
        The seeds to train each network with. Without seeds, each network is trained once, with
        AllenNLP's default seeds.
    overrides : `Mapping[str, Any]`
        Overrides of all configs.
    network_overrides : `Mapping[str, Mapping[str, Any]]`
        Overrides of single networks' configs, by network.
    cuda_device : `int`, optional (default = `-1`)
        The GPU for evaluations; -1 for the CPU.
    """

    out: Path
    environment: Mapping[str, str]
    size: str
    seeds: Tuple[int, ...]
    overrides: Mapping[str, Any]
    network_overrides: Mapping[str, Mapping[str, Any]]
    cuda_device: int = -1

    @property
    def data(self) -> str:
        """The name of the corpus."""
        return self.environment["LISA_DATA"]


class Plan:
    """
    The jobs that fill the chosen cells, without duplicates, each after the jobs that it needs.

    # Raises

    `ConfigurationError`
        If the paper's configs do not know the corpus, or its dev part is missing.
    """

    def __init__(self, paper: Paper, settings: Settings) -> None:
        self.jobs: Dict[str, Job] = {}
        self._settings = settings
        if settings.data not in paper.corpora:
            raise ConfigurationError(
                f"--data is '{settings.data}'; expected one of {', '.join(paper.corpora)}"
            )
        self._corpus = paper.corpora[settings.data]
        known = Params.from_file(
            f"training_configs/{paper.parts}", ext_vars=dict(settings.environment)
        ).as_dict(quiet=True)
        self._parts: Dict[str, Dict[str, str]] = known["parts"]
        self._elmo: str = known.get("elmo", "")
        for path in self._parts["dev"].values():
            if not _local(path).exists():
                raise ConfigurationError(
                    f"{_local(path)}: found no such file or folder; expected the dev part of "
                    f"{self._corpus}"
                )

    @property
    def networks(self) -> List[str]:
        """The names of all networks to train."""
        trainings = (job for job in self.jobs.values() if isinstance(job, Training))
        return list(dict.fromkeys(job.output.name.partition(".seed")[0] for job in trainings))

    def reason_to_skip(self, cell: Cell) -> Optional[str]:
        """The reason why a cell cannot be filled on this corpus; `None` if it can."""
        evaluation = cell.evaluation
        if evaluation.part not in self._parts:
            return f"{self._corpus} has no part '{evaluation.part}'"
        for path in self._parts[evaluation.part].values():
            if not _local(path).exists():
                return f"{_local(path)} is missing"
        return next(filter(None, map(self._reason_not_to_train, _networks(evaluation))), None)

    def add(self, cell: Cell) -> List[Evaluating]:
        """
        # Returns

        `List[Evaluating]`
            The jobs that fill a cell, one per seed.
        """
        return [
            self._add_evaluation(cell.evaluation, seed) for seed in self._settings.seeds or [None]
        ]

    def _reason_not_to_train(self, network: Network) -> Optional[str]:
        size = self._settings.size
        if not Path(self._config(network)).exists():
            return f"{self._config(network)} is missing"
        if network.needs_elmo_at(size) and not self._elmo.startswith(("http:", "https:")):
            options = Path(f"{self._elmo}options.json")
            if not options.exists():
                return f"no ELMo: {options} is missing (LISA_ELMO)"
        return None

    def _config(self, network: Network) -> str:
        return f"training_configs/{network.config_at(self._settings.size)}.jsonnet"

    def _keep(self, job: Any) -> Any:
        return self.jobs.setdefault(job.name, job)

    def _add_training(self, network: Network, seed: Optional[int]) -> Training:
        settings = self._settings
        network_name = network.name_at(settings.size)
        name = network_name if seed is None else f"{network_name}.seed{seed}"
        seeds = ("random_seed", "numpy_seed", "pytorch_seed")
        overrides = {
            **network.overrides,
            **({} if seed is None else dict.fromkeys(seeds, seed)),
            **settings.overrides,
            **settings.network_overrides.get(network_name, {}),
        }
        return self._keep(
            Training(
                f"train-{name}",
                settings.out / "models" / name,
                environment={k: v for k, v in settings.environment.items() if v},
                config=self._config(network),
                overrides=overrides,
            )
        )

    def _add_parsing(self, parser: Network, part: str, seed: Optional[int]) -> Parsing:
        training = self._add_training(parser, seed)
        name = f"{training.output.name}.{part}"
        trees = self._parts[part]["trees"]
        output = self._settings.out / "parses" / f"{name}.conllu"
        command = ["predict", str(training.model), trees, "--use-dataset-reader", "--silent"]
        command += ["--output-file", str(output), *self._device()]
        return self._keep(
            Parsing(
                f"parse-{name}", output, (training,), data=(_local(trees),), command=tuple(command)
            )
        )

    def _add_evaluation(self, evaluation: Evaluation, seed: Optional[int]) -> Evaluating:
        training = self._add_training(evaluation.network, seed)
        needs: List[Job] = [training]
        overrides = dict(evaluation.overrides)
        name = f"{training.output.name}.{evaluation.part}"
        if evaluation.parser is not None:
            parsing = self._add_parsing(evaluation.parser, evaluation.part, seed)
            needs.append(parsing)
            overrides["dataset_reader.injected_parses_path"] = str(parsing.output)
            name += "+dm"
        if evaluation.gold_trees:
            overrides["dataset_reader.injected_parses_suffix"] = ".conllu"
            name += "+gold"
        if evaluation.variant:
            name += f".{evaluation.variant}"
        part = self._parts[evaluation.part]
        data = part[evaluation.network.reads]
        output = self._settings.out / "scores" / f"{name}.json"
        command = ["evaluate", str(training.model), data, "--output-file", str(output)]
        if overrides:
            command += ["-o", json.dumps(overrides)]
        return self._keep(
            Evaluating(
                f"evaluate-{name}",
                output,
                tuple(needs),
                data=tuple(map(_local, dict.fromkeys(part.values()))),
                command=(*command, *self._device()),
            )
        )

    def _device(self) -> List[str]:
        device = self._settings.cuda_device
        return [] if device < 0 else ["--cuda-device", str(device)]


def _networks(evaluation: Evaluation) -> List[Network]:
    return [n for n in (evaluation.network, evaluation.parser) if n is not None]


def _local(path: str) -> Path:
    """The file or folder of a path that may end with sections, as in `AUTO#23`."""
    return Path(path if os.path.exists(path) else path.partition("#")[0])
