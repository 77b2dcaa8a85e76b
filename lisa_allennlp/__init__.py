"""
LISA for AllenNLP: semantic role labelling with linguistically-informed self-attention.

Importing the package is cheap: it sets the defaults that the training configurations read from
the environment. `lisa_allennlp.plugin` registers the package's classes with AllenNLP.
"""

from lisa_allennlp.common.environment import set_environment_defaults
from lisa_allennlp.version import VERSION

__all__ = ["__version__"]

__version__ = VERSION

set_environment_defaults()
