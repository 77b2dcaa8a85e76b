"""
Makes the plan of a run from its inputs and options, or continues the plan of its output folder.

    >>> rows = RowOptions(id_column="words")
    >>> check_columns(Asked([], None, ModelOptions("english"), rows, "jsonl", 1000), [])
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: --id-column: found words, which the output uses; ...
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.annotation import parquet
from lisa_allennlp.annotation.input_files import (
    PARQUET,
    InputFile,
    check_first_bytes,
    find_inputs,
    row_starts,
)
from lisa_allennlp.annotation.model_options import ModelOptions
from lisa_allennlp.annotation.output_folder import OutputFolder
from lisa_allennlp.annotation.plan import Plan, check_conditions, check_inputs, cut
from lisa_allennlp.annotation.rows import GIVEN_KEYS, TEXT_KEYS, RowOptions
from lisa_allennlp.common.digests import digest_of_file
from lisa_allennlp.data.document import SENTENCES
from lisa_allennlp.data.sentence import ANSWER_KEYS
from lisa_allennlp.labelling.input_files import TEXT
from lisa_allennlp.version import VERSION


@dataclass(frozen=True)
class Asked:
    """
    What a command asks for.

    # Parameters

    paths : `List[str]`
        The input files and folders.
    input_format : `str`, optional
        One of `lisa_allennlp.annotation.input_files.FORMATS`; by default, by the names.
    model : `ModelOptions`
    rows : `RowOptions`
    ending : `str`
        One of `lisa_allennlp.annotation.output_formats.OUTPUT_FORMATS`.
    rows_per_shard : `int`
    """

    paths: List[str]
    input_format: Optional[str]
    model: ModelOptions
    rows: RowOptions
    ending: str
    rows_per_shard: int

    def conditions(self) -> Dict[str, Any]:
        """What the answers and shards depend on, beside the inputs."""
        return {
            "model": self.model.digest(),
            "package": VERSION,
            "format": self.ending,
            "rows_per_shard": self.rows_per_shard,
            **asdict(self.rows),
            **self.model.describe(),
        }


def plan_for(asked: Asked, folder: OutputFolder) -> Plan:
    """
    The plan of an output folder, which is made and written if there is none.

    # Raises

    `ConfigurationError`
        If the plan of the folder is not what is asked for, or an input cannot be read.
    """
    inputs = find_inputs(asked.paths, asked.input_format)
    check_not_in(folder.path, asked.paths, inputs)
    conditions = asked.conditions()
    plan = folder.read_plan()
    if plan is not None:
        check_conditions(str(folder.manifest), conditions, plan.conditions)
        check_inputs(str(folder.manifest), inputs, plan.inputs)
        return plan
    schema = check_columns(asked, inputs)
    for file in inputs:
        if file.format == TEXT and asked.input_format is None:
            check_first_bytes(file)
        file.sha256 = digest_of_file(file.path)
    shards = cut(inputs, asked.rows_per_shard, row_starts)
    plan = Plan(conditions, inputs, shards, schema)
    folder.write_plan(plan)
    return plan


def check_not_in(folder: Path, paths: Sequence[str], inputs: Sequence[InputFile]) -> None:
    """
    # Raises

    `ConfigurationError`
        If an input is in the output folder, or the output folder is in a folder of inputs.
    """
    output = folder.resolve()
    for path in paths:
        if Path(path).resolve() in output.parents:
            raise ConfigurationError(
                f"--output: found {folder} in the folder of inputs {path}; expected another folder"
            )
    for file in inputs:
        if output in Path(file.path).resolve().parents:
            raise ConfigurationError(
                f"--output: found the input {file.path} in {folder}; expected another folder"
            )


def check_columns(asked: Asked, inputs: Sequence[InputFile]) -> str:
    """
    # Returns

    `str`
        The schema of Parquet shards, in base 64; empty for other formats.

    # Raises

    `ConfigurationError`
        If a column is missing, or its name is one of the output's own.
    """
    _check_names(asked, "--id-column", [asked.rows.id_column])
    _check_names(asked, "--keep", asked.rows.keep or [])
    paths = [file.path for file in inputs if file.format == PARQUET]
    kept = _kept_columns(asked, paths) if paths else None
    if asked.ending != PARQUET:
        if kept is not None:
            parquet.check_no_bytes(kept)
        return ""
    has_others = len(paths) < len(inputs)
    schema = parquet.output_schema(asked.rows.id_column, kept, has_others)
    return parquet.schema_to_text(schema)


def _kept_columns(asked: Asked, paths: Sequence[str]) -> Any:
    """The schema of the columns to copy from Parquet files."""
    rows = asked.rows
    for path in paths:
        schema = parquet.schema_of(path)
        if rows.id_column != RowOptions().id_column:
            parquet.check_column(path, schema, "--id-column", rows.id_column)
        if rows.text_column is not None:
            parquet.check_column(path, schema, "--text-column", rows.text_column)
        elif not {*TEXT_KEYS} & {*schema.names}:
            raise ConfigurationError(
                f"{path}: found the columns {', '.join(schema.names)}; expected "
                f"{' or '.join(TEXT_KEYS)}, or --text-column"
            )
    read = [*TEXT_KEYS, *GIVEN_KEYS, rows.id_column]
    read += [] if rows.text_column is None else [rows.text_column]
    kept = parquet.kept_columns(paths, read, rows.keep)
    _check_names(asked, "--keep", kept.names)
    return kept


def _check_names(asked: Asked, option: str, names: Sequence[str]) -> None:
    taken = {*ANSWER_KEYS, *TEXT_KEYS, *GIVEN_KEYS, SENTENCES}
    if asked.ending == PARQUET:
        taken.add(parquet.EXTRA)
    for name in names:
        if name in taken:
            raise ConfigurationError(
                f"{option}: found {name}, which the output uses; expected another column"
            )
