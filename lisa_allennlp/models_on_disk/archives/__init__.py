"""Opens and exports models with PyTorch and AllenNLP, and what their configs name."""

from allennlp.common.checks import ConfigurationError as AllennlpConfigurationError

from lisa_allennlp.common.errors import ConfigurationError

CONFIGURATION_ERRORS = (ConfigurationError, AllennlpConfigurationError)
"""For `except` around code that builds or reads objects of a config."""
