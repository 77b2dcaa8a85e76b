"""
AllenNLP's `cached_transformers` for current releases of transformers, with errors for its users.

AllenNLP passes `add_special_tokens` to the constructor of every tokenizer, where it has no effect:
it says again with each text whether they are to be added. Current tokenizers refuse it there.
Importing this module makes AllenNLP's classes load tokenizers and models through the functions
here.
"""

from typing import Any

import transformers
from allennlp.common import cached_transformers
from allennlp.common.checks import ConfigurationError

_get = cached_transformers.get
_get_tokenizer = cached_transformers.get_tokenizer


def get(model_name: str, *args: Any, **kwargs: Any) -> transformers.PreTrainedModel:
    """
    As AllenNLP's function of this name.

    # Raises

    `ConfigurationError`
        If there is no such model.
    """
    try:
        return _get(model_name, *args, **kwargs)
    except (OSError, ValueError) as error:
        raise _not_found("model", model_name, error) from error


def get_tokenizer(model_name: str, **kwargs: Any) -> transformers.PreTrainedTokenizer:
    """
    As AllenNLP's function of this name, without `add_special_tokens`.

    # Raises

    `ConfigurationError`
        If there is no such tokenizer.
    """
    kwargs.pop("add_special_tokens", None)
    try:
        return _get_tokenizer(model_name, **kwargs)
    except (OSError, ValueError) as error:
        raise _not_found("tokenizer", model_name, error) from error


def _not_found(what: str, name: str, error: Exception) -> ConfigurationError:
    # The message may go on with the list of all models there are.
    said = str(error)[:300]
    return ConfigurationError(
        f"cannot load the {what} of the transformer '{name}'; expected the name of a model of the "
        f"Hugging Face Hub, or a folder with its files. What transformers says: {said}"
    )


cached_transformers.get = get
cached_transformers.get_tokenizer = get_tokenizer
