"""Describes the parts of a `lisa` model in `network.json`."""

import json
from typing import Any, Collection, List, Mapping, Optional

import torch
from allennlp.common import Registrable
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import CharacterTokenizer
from allennlp.data.vocabulary import DEFAULT_OOV_TOKEN, DEFAULT_PADDING_TOKEN
from allennlp.modules import Embedding, TextFieldEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

from lisa_allennlp.data.token_indexers.distinct_characters import DistinctCharactersIndexer
from lisa_allennlp.data.token_indexers.pretrained_transformer_words import PretrainedEncoderIndexer
from lisa_allennlp.inference.word_inputs import PIECE_TABLE
from lisa_allennlp.models_on_disk.network_config import (
    CharacterEmbedder,
    Embedder,
    PieceEmbedder,
    WordEmbedder,
)
from lisa_allennlp.modules.token_embedders import (
    DistinctWordsCharactersEncoder,
    PretrainedEncoderEmbedder,
)
from lisa_allennlp.text.word_pieces import is_known_tokenizer


def registered_name(part: Any, base: Any, names: Collection[str]) -> Optional[str]:
    registered: Any = Registrable._registry[base]
    return next((name for name in names if registered[name][0] is type(part)), None)


def describe_embedders(
    embedder: TextFieldEmbedder, indexers: Mapping[str, TokenIndexer], vocab: Vocabulary
) -> Optional[List[Embedder]]:
    """`None` if the labeller does not know one of them."""
    words = vocab._padding_token, vocab._oov_token
    has_usual_words = words == (DEFAULT_PADDING_TOKEN, DEFAULT_OOV_TOKEN)
    if type(embedder) is not BasicTextFieldEmbedder or not has_usual_words:
        return None
    described = [
        _embedder(name, embedder.get_submodule(f"token_embedder_{name}"), indexers.get(name))
        for name in embedder._ordered_embedder_keys
    ]
    return None if None in described else [one for one in described if one is not None]


def _embedder(
    name: str, embedder: torch.nn.Module, indexer: Optional[TokenIndexer]
) -> Optional[Embedder]:
    if type(embedder) is Embedding and type(indexer) is SingleIdTokenIndexer:
        namespace, lowercase = indexer.namespace, indexer.lowercase_tokens
        usual = vars(SingleIdTokenIndexer(namespace, lowercase))
        is_plain = embedder._projection is None and embedder.max_norm is None
        if namespace and vars(indexer) == usual and is_plain:
            return WordEmbedder(name, namespace, embedder.weight.size(1), lowercase)
    if type(embedder) is DistinctWordsCharactersEncoder and (
        type(indexer) is DistinctCharactersIndexer
        and indexer._character_tokenizer == CharacterTokenizer()
        and not (indexer._start_tokens or indexer._end_tokens)
    ):
        return CharacterEmbedder(name, indexer._namespace)
    if type(embedder) is PretrainedEncoderEmbedder and type(indexer) is PretrainedEncoderIndexer:
        return _piece_embedder(name, embedder, indexer)
    return None


def _piece_embedder(
    name: str, embedder: PretrainedEncoderEmbedder, indexer: PretrainedEncoderIndexer
) -> Optional[PieceEmbedder]:
    """`None` if the labeller does not know the kind of the tokenizer."""
    backend = getattr(indexer._tokenizer, "backend_tokenizer", None)
    tokenizer = json.loads(backend.to_str()) if backend is not None else {}
    matched: Any = embedder._matched_embedder
    table: Any = matched.transformer_model.get_input_embeddings()
    is_table = dict(embedder.named_modules()).get(PIECE_TABLE) is table
    if not (is_table and is_known_tokenizer(tokenizer)):
        return None
    if indexer._tokenizer.unk_token != tokenizer["model"]["unk_token"]:
        return None
    special: Any = indexer._allennlp_tokenizer
    start, end = special.single_sequence_start_tokens, special.single_sequence_end_tokens
    return PieceEmbedder(
        name,
        table.num_embeddings,
        table.embedding_dim,
        matched._max_length,
        start=[token.text_id for token in start],
        end=[token.text_id for token in end],
    )
