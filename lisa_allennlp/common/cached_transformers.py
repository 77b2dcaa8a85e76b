"""
Makes AllenNLP's `cached_transformers` work with current releases of transformers, and reports
missing models in one line.

AllenNLP passes `add_special_tokens` to the constructor of every tokenizer. The argument has no
effect there, since AllenNLP passes it again with each text, and current tokenizers reject it.
Code that comes with a model is run only if `trust_remote_code` is true; transformers would ask.

Importing this module replaces AllenNLP's loading functions by the functions here.

    >>> import allennlp.common.cached_transformers
    >>> allennlp.common.cached_transformers.get_tokenizer is get_tokenizer
    True
"""

from pathlib import Path
from typing import Any

import transformers
from allennlp.common import cached_transformers
from allennlp.common.checks import ConfigurationError

_get = cached_transformers.get
_get_tokenizer = cached_transformers.get_tokenizer


def get(model_name: str, *args: Any, **kwargs: Any) -> transformers.PreTrainedModel:
    """
    Loads a model like AllenNLP's function of the same name.

    # Raises

    `ConfigurationError`
        If the model cannot be loaded.
    """
    kwargs.setdefault("trust_remote_code", False)
    try:
        return _get(model_name, *args, **kwargs)
    except (OSError, ValueError) as error:
        raise _not_found("model", model_name, error) from error


def get_tokenizer(model_name: str, **kwargs: Any) -> transformers.PreTrainedTokenizer:
    """
    Loads a tokenizer like AllenNLP's function of the same name, without `add_special_tokens`.

    # Raises

    `ConfigurationError`
        If the tokenizer cannot be loaded.
    """
    kwargs.pop("add_special_tokens", None)
    kwargs.setdefault("trust_remote_code", False)
    try:
        return _get_tokenizer(model_name, **kwargs)
    except (OSError, ValueError) as error:
        raise _not_found("tokenizer", model_name, error) from error


def get_config(model_name: str) -> transformers.PretrainedConfig:
    """
    Loads the config of a model, without its weights.

    # Raises

    `ConfigurationError`
        If the config cannot be loaded.
    """
    try:
        return transformers.AutoConfig.from_pretrained(model_name, trust_remote_code=False)
    except (OSError, ValueError) as error:
        raise _not_found("config", model_name, error) from error


def forget(folder: Path) -> None:
    """
    Removes the models and tokenizers of a folder, which is going to be deleted, from AllenNLP's
    caches.

    # Parameters

    folder : `Path`
    """
    caches: Any = (cached_transformers._model_cache, cached_transformers._tokenizer_cache)
    for cache in caches:
        for key in [key for key in cache if folder.resolve() in Path(key[0]).resolve().parents]:
            del cache[key]


def _not_found(what: str, name: str, error: Exception) -> ConfigurationError:
    # The message may end with a list of all known models.
    said = str(error)[:300]
    return ConfigurationError(
        f"cannot load the {what} of the transformer '{name}'; expected the name of a model on the "
        f"Hugging Face Hub, or a folder with its files. Message of transformers: {said}"
    )


cached_transformers.get = get
cached_transformers.get_tokenizer = get_tokenizer
