"""
The commands of `lisa`, one module each, here or in their program: `add_arguments` describes its
arguments, and `run` executes it. `run` imports what it needs, so that help texts and wrong
arguments are quick.
"""

from typing import Dict

COMMANDS: Dict[str, str] = {
    "label": "Label sentences with a trained model, as tables to read.",
    "show": "Show labelled sentences as pictures: in the terminal, as HTML or as SVG.",
    "serve": "Serve a trained model over HTTP, with a page for browsers.",
    "predict": "Label files with a trained model, as JSON or CoNLL.",
    "annotate": "Label corpora of any size, in shards, on one machine or many.",
    "find": "Ask a labelled corpus who did what to whom.",
    "evaluate": "Score a trained model on an annotated corpus.",
    "score": "Score a file of predictions as the official scorers do.",
    "compare": "Test whether one system is better than another, by paired bootstrap.",
    "convert": "Convert annotated files, such as predictions, to another format.",
    "analyze": "Analyse the errors of predictions, as a report with plots.",
    "adapt": "Learn from corrected sentences at once, without training.",
    "train": "Train a model from a config, or continue from a trained one.",
    "export": "Export a trained model to a self-contained folder.",
    "models": "List the models that come with the package.",
    "prepare": "Build a corpus from its official release.",
    "reproduce": "Reproduce the papers' tables (in a checkout only).",
}

_OF_PROGRAMS: Dict[str, str] = {
    "label": "show.label",
    "compare": "analyze.compare",
    **{
        name: f"{name}.command"
        for name in ("show", "serve", "annotate", "find", "analyze", "prepare")
    },
}


def module_of(command: str) -> str:
    program = _OF_PROGRAMS.get(command)
    return f"lisa_allennlp.apps.{program}" if program else f"lisa_allennlp.commands.{command}"
