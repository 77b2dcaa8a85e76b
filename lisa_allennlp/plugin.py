"""
The AllenNLP plug-in. Importing it registers every class of the package.

The file `.allennlp_plugins` names this module, so the `allennlp` command finds LISA in a checkout's
folder. Elsewhere, add the line `lisa_allennlp.plugin` to `~/.allennlp/plugins`. The `lisa` command
needs neither.
"""

import os

from lisa_allennlp.common.importing import import_all

PACKAGES = (
    "data.dataset_readers",
    "data.samplers",
    "data.token_indexers",
    "models",
    "modules",
    "nn",
    "predictors",
    "training",
)
"""The packages with classes that AllenNLP builds."""

VARIABLES = (
    "LISA_DATA",
    "LISA_CORPUS",
    "LISA_VECTORS",
    "LISA_SILVER",
    "LISA_DESCRIPTIONS",
    "LISA_ELMO",
    "LISA_TRANSFORMER",
    "LISA_LANGUAGE",
)
"""The environment variables of the configs. Jsonnet fails for one that is missing."""

for name in VARIABLES:
    os.environ.setdefault(name, "")
for package in PACKAGES:
    import_all(f"lisa_allennlp.{package}")
