"""
Defaults of the environment variables that the training configs read.

The configs choose the corpus and the pretrained inputs by environment variables, which AllenNLP
passes to Jsonnet. Jsonnet's `std.extVar` has no default and fails for a missing variable.
Importing the package therefore sets the variables that are missing.

    >>> set_environment_defaults()
    >>> "LISA_DATA" in os.environ
    True
"""

import os
from typing import Dict

ENVIRONMENT_DEFAULTS: Dict[str, str] = {
    # The corpus to train on; "sample" comes with the project.
    "LISA_DATA": "sample",
    # The folder of any other corpus.
    "LISA_CORPUS": "",
    # A file of word vectors in GloVe's text format.
    "LISA_VECTORS": "",
    "LISA_SILVER": "",
    # The common prefix of the names of ELMo's two files.
    "LISA_ELMO": "",
    # The name or folder of a Hugging Face encoder.
    "LISA_TRANSFORMER": "",
}


def set_environment_defaults() -> None:
    """Sets those variables of `ENVIRONMENT_DEFAULTS` that are missing."""
    for name, value in ENVIRONMENT_DEFAULTS.items():
        os.environ.setdefault(name, value)
