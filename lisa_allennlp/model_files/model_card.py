"""The model card of an exported model, in Markdown."""

from typing import Any, Dict, Mapping, Optional

from lisa_allennlp.model_files.model_info import ModelInfo

_TASKS = {
    "lisa": "part-of-speech tags, predicates, semantic roles and, with a syntactic head, a "
    "labelled dependency tree",
    "deep_biaffine_parser": "a labelled dependency tree",
    "ccg_supertagger": "CCG supertags",
}

_NOT_SAID = """\
Whoever exported this model did not describe its training data. Expect lower scores on text of
another kind than it was trained on, and check the answers before you rely on them."""


def model_card(
    info: ModelInfo, model: Mapping[str, Any], storage: Dict[str, Any], about: Optional[str] = None
) -> str:
    """
    Describes a model for its users.

    # Parameters

    model : `Mapping[str, Any]`
        The section `model` of the config.
    storage : `Dict[str, Any]`
        How the weights are stored, by option.
    about : `str`, optional
        What the model was trained on, for which domains, its limits and credits, in Markdown.
    """
    task = _TASKS.get(model["type"], "sentences")
    stored = [f"{name.replace('_', ' ')} {value}" for name, value in storage.items() if value]
    parts = [
        f"# {info.name}",
        f"Version {info.version} of a model of type `{model['type']}` for lisa-allennlp, which "
        f"predicts {task}. It has {info.parameters:,} parameters. Exported by lisa-allennlp "
        f"{info.package_version} ({', '.join(stored)}).",
        "```python\nimport lisa_allennlp\n\n"
        f'lisa = lisa_allennlp.load("{info.name}")  # the path of this folder works, too\n```',
        "## Licence",
        info.license,
        "## Scores",
        _table(info.scores),
        "## Training data, domains and limits" if about is None else about.strip(),
    ]
    if about is None:
        parts.append(_NOT_SAID)
    return "\n\n".join(parts) + "\n"


def _table(scores: Mapping[str, float]) -> str:
    if not scores:
        return "Not measured."
    lines = ["| score | value |", "| --- | --- |"]
    lines += [f"| `{name}` | {value:.2f} |" for name, value in scores.items()]
    text = "On the validation data of the training, or as measured by `lisa evaluate`."
    return "\n".join([text, "", *lines])
