"""
Defaults of the environment variables that the training configurations read.

AllenNLP hands the environment to Jsonnet as external variables, and Jsonnet knows no default for
`std.extVar`: a variable that is not set is an error. The configurations let their user choose
the corpus and the pretrained inputs by such variables, so that importing the package sets those
that are missing.
"""

import os
from typing import Dict

ENVIRONMENT_DEFAULTS: Dict[str, str] = {
    # Which corpus to train on; "sample" is the one that comes with the project.
    "LISA_DATA": "sample",
    # The folder of that corpus, where it does not come with the project.
    "LISA_CORPUS": "",
    # Word vectors in GloVe's text format.
    "LISA_VECTORS": "",
    # What the names of ELMo's two files start with.
    "LISA_ELMO": "",
    # The name or folder of a Hugging Face encoder.
    "LISA_TRANSFORMER": "",
}


def set_environment_defaults() -> None:
    """Sets the variables of `ENVIRONMENT_DEFAULTS` that the user has not set."""
    for name, value in ENVIRONMENT_DEFAULTS.items():
        os.environ.setdefault(name, value)
