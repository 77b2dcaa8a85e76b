"""
Builds the transformers and tokenizers for AllenNLP's caches. AllenNLP itself passes
`add_special_tokens` to tokenizers, which current ones refuse, and builds any class that a
transformer's config names.
"""

import inspect
import json
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, Mapping, Optional

import transformers
from allennlp.common import cached_transformers
from allennlp.common.util import hash_object
from transformers import CONFIG_MAPPING, TOKENIZER_MAPPING

from lisa_allennlp.common.errors import ConfigurationError

TEXT_ENCODERS = (
    *("albert", "bert", "camembert", "deberta", "deberta-v2", "distilbert", "electra", "mpnet"),
    *("roberta", "xlm-roberta"),
)
"""The types of transformers that a stranger's model may have."""

_TOKENIZER_OPTIONS = (
    *("bos_token", "cls_token", "eos_token", "mask_token", "pad_token", "sep_token", "unk_token"),
    *("add_prefix_space", "do_lower_case", "keep_accents", "remove_space", "split_by_punct"),
    *("strip_accents", "tokenize_chinese_chars", "trim_offsets"),
)


@contextmanager
def in_allennlps_caches(
    name: str,
    is_stored: bool,
    tokenizer_options: Optional[Mapping[str, Any]] = None,
    transformer_options: Optional[Mapping[str, Any]] = None,
) -> Iterator[None]:
    """
    Puts a tokenizer into AllenNLP's cache during a block; for a stored transformer, also its
    network with random weights and known `transformer_options`. `name` is a model on the Hugging
    Face Hub, or a folder. If `is_stored`, the folder is in a stranger's model, from whose files
    only a known network and its tokenizer are built. Another one is a `ConfigurationError`.
    """
    tokenizers, models = cached_transformers._tokenizer_cache, cached_transformers._model_cache
    spec = cached_transformers.TransformerSpec(name)
    ways = [{"add_special_tokens": special, "use_fast": True} for special in (False, True)]
    keys: Any = [(name, hash_object(way)) for way in ways]
    try:
        tokenizers.update(dict.fromkeys(keys, load_tokenizer(name, is_stored, tokenizer_options)))
        if is_stored:
            config = load_config(name, is_stored)
            config.update(
                {k: v for k, v in (transformer_options or {}).items() if k in vars(config)}
            )
            models[spec] = transformers.AutoModel.from_config(config)
        yield
    except (OSError, ValueError) as error:
        # The message may end with a list of all known models.
        raise ConfigurationError(
            f"cannot load the transformer '{name}'; expected the name of a model on the Hugging "
            f"Face Hub, or a folder with its files. Message of transformers: {str(error)[:300]}"
        ) from error
    finally:
        for key in keys:
            tokenizers.pop(key, None)
        if is_stored:
            models.pop(spec, None)


def load_tokenizer(
    name: str, is_stored: bool, options: Optional[Mapping[str, Any]] = None
) -> transformers.PreTrainedTokenizerBase:
    """The parameters are those of `in_allennlps_caches`."""
    given = {"use_fast": True, "trust_remote_code": False, **(options or {})}
    if not is_stored:
        return transformers.AutoTokenizer.from_pretrained(name, **given)
    found = {**_read(name, "tokenizer_config.json"), **given}
    classes = [TOKENIZER_MAPPING[CONFIG_MAPPING[kind]][1] for kind in TEXT_ENCODERS]
    default = TOKENIZER_MAPPING[type(load_config(name, is_stored))][1]
    wanted = str(found.get("tokenizer_class")).removesuffix("Fast") + "Fast"
    tokenizer_class = {known.__name__: known for known in classes}.get(wanted, default)
    kept = {key: found[key] for key in _TOKENIZER_OPTIONS if key in found}
    for key, value in kept.items():
        # Of a special token, `tokenizer.json` has the other properties.
        kept[key] = value.get("content") if isinstance(value, dict) else value
    return tokenizer_class(tokenizer_file=str(Path(name) / "tokenizer.json"), **kept)


def load_config(name: str, is_stored: bool) -> transformers.PretrainedConfig:
    """The parameters are those of `in_allennlps_caches`."""
    if not is_stored:
        return transformers.AutoConfig.from_pretrained(name, trust_remote_code=False)
    found = _read(name, "config.json")
    kind = found.get("model_type")
    if kind not in TEXT_ENCODERS:
        raise ConfigurationError(
            f"{name}: model_type: found {kind!r:.60}; expected one of {', '.join(TEXT_ENCODERS)}"
        )
    known = inspect.signature(CONFIG_MAPPING[kind].__init__).parameters
    plain = {key: found[key] for key in known if not isinstance(found.get(key, {}), dict)}
    return CONFIG_MAPPING[kind](**plain)


def save(name: str, is_stored: bool, options: Optional[Mapping[str, Any]], folder: Path) -> None:
    load_tokenizer(name, is_stored, options).save_pretrained(folder, legacy_format=False)
    load_config(name, is_stored).save_pretrained(folder)


def _read(folder: str, file: str) -> Dict[str, Any]:
    return json.loads((Path(folder) / file).read_text(encoding="utf-8"))
