"""
The compared systems: LISA and allennlp-models' `srl`, the peer, at published size, on trained word
vectors, ELMo or a Hugging Face encoder of word pieces. The weights of the latter two come from
files, or are random and of the published sizes, on which speed and memory depend.
"""

import copy
import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Tuple

import h5py
import numpy
from allennlp.common import Params
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.data.data_loaders import TensorDict
from allennlp.data.token_indexers import (
    ELMoTokenCharactersIndexer,
    SingleIdTokenIndexer,
    TokenIndexer,
)
from allennlp.data.tokenizers import Token
from allennlp.models import Model
from allennlp_models.structured_prediction.dataset_readers.srl import SrlReader
from transformers import BertConfig, BertTokenizerFast

import lisa_allennlp.models.lisa
import lisa_allennlp.modules.token_embedders  # noqa: F401
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.data.token_indexers.pretrained_transformer_words import (
    PretrainedTransformerWordsIndexer,
)
from lisa_allennlp.inference.batches import batches_of_similar_length

ELMO: Dict[str, Any] = {
    "char_cnn": {
        "activation": "relu",
        "embedding": {"dim": 16},
        "filters": [[1, 32], [2, 32], [3, 64], [4, 128], [5, 256], [6, 512], [7, 1024]],
        "max_characters_per_token": 50,
        "n_characters": 262,
        "n_highway": 2,
    },
    "lstm": {
        "cell_clip": 3,
        "dim": 4096,
        "n_layers": 2,
        "proj_clip": 3,
        "projection_dim": 512,
        "use_skip_connections": True,
    },
}
"""The options of the original ELMo (Peters et al. 2018)."""

CASED_BERT = {"vocab_size": 28996}
"""What the config of BERT-base cased has instead of the defaults of `BertConfig`."""

SPECIAL_PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
DEVIATION = 0.05
"""The standard deviation of random weights."""


class Words(NamedTuple):
    """A way to embed words."""

    name: str
    # Of the reader.
    indexers: Dict[str, TokenIndexer]
    # The config of the model's `text_field_embedder`.
    embedder: Dict[str, Any]


def word_vectors() -> Words:
    """Trained vectors of 100 dimensions for lower-cased words."""
    indexer = SingleIdTokenIndexer(lowercase_tokens=True)
    return _words("vectors", indexer, type="embedding", embedding_dim=100, trainable=True)


def elmo(start: str) -> Words:
    """
    Returns a fixed ELMo, as in `training_configs`. `start` is the common start of the names of its
    two files, `options.json` and `weights.hdf5`.
    """
    return _words(
        "ELMo",
        ELMoTokenCharactersIndexer(),
        type="elmo_token_embedder",
        options_file=f"{start}options.json",
        weight_file=f"{start}weights.hdf5",
        do_layer_norm=False,
        dropout=0.0,
    )


def transformer(name: str, load_weights: bool = True) -> Words:
    """Returns a Hugging Face encoder that is fine-tuned, as in `training_configs`."""
    return _words(
        "transformer",
        PretrainedTransformerWordsIndexer(name),
        type="pretrained_transformer_words",
        model_name=name,
        load_weights=load_weights,
    )


def random_elmo(folder: Path, options: Dict[str, Any] = ELMO) -> Words:
    """
    Returns an ELMo with random weights. Its files are written to the folder, and read when the
    model is built.
    """
    (folder / "options.json").write_text(json.dumps(options))
    random = numpy.random.default_rng(0)
    with h5py.File(folder / "weights.hdf5", "w") as file:
        for name, shape in _shapes_of_elmo(options):
            file[name] = DEVIATION * random.standard_normal(shape, dtype=numpy.float32)
    return elmo(f"{folder}/")


def _shapes_of_elmo(options: Dict[str, Any]) -> Iterator[Tuple[str, Tuple[int, ...]]]:
    """Yields the names and shapes of the weights of an ELMo."""
    characters, lstm = options["char_cnn"], options["lstm"]
    dim = characters["embedding"]["dim"]
    yield "char_embed", (characters["n_characters"] - 1, dim)
    for number, (width, size) in enumerate(characters["filters"]):
        yield f"CNN/W_cnn_{number}", (1, width, dim, size)
        yield f"CNN/b_cnn_{number}", (size,)
    num_filters = sum(size for _, size in characters["filters"])
    for number in range(characters["n_highway"]):
        for gate in ("transform", "carry"):
            yield f"CNN_high_{number}/W_{gate}", (num_filters, num_filters)
            yield f"CNN_high_{number}/b_{gate}", (num_filters,)
    output, cells = lstm["projection_dim"], lstm["dim"]
    yield "CNN_proj/W_proj", (num_filters, output)
    yield "CNN_proj/b_proj", (output,)
    for direction in range(2):
        for layer in range(lstm["n_layers"]):
            cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            yield f"{cell}/W_0", (2 * output, 4 * cells)
            yield f"{cell}/B", (4 * cells,)
            yield f"{cell}/W_P_0", (cells, output)


def random_transformer(
    folder: Path, sentences: Sequence[Sentence], config: Dict[str, Any] = CASED_BERT
) -> Words:
    """
    A BERT with random weights. Its word pieces are learned from the sentences: words that occur
    twice are one piece, as frequent words are in a published vocabulary.
    """
    sizes = BertConfig(**config)
    characters = sorted({c for sentence in sentences for word in sentence.words for c in word})
    start = [*SPECIAL_PIECES, *characters, *(f"##{character}" for character in characters)]
    (folder / "vocab.txt").write_text("\n".join(start) + "\n", encoding="utf-8")
    tokenizer = BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=False)
    words = (sentence.words for sentence in sentences)
    learned = tokenizer.train_new_from_iterator(
        map(" ".join, words), sizes.vocab_size, min_frequency=2, show_progress=False
    )
    learned.save_pretrained(folder)
    sizes.save_pretrained(folder)
    return transformer(str(folder), load_weights=False)


def _words(name: str, indexer: TokenIndexer, **embedder: Any) -> Words:
    return Words(name, {"tokens": indexer}, {"token_embedders": {"tokens": embedder}})


WORD_VECTORS = word_vectors()


class System:
    """A model with its instances and vocabulary."""

    def __init__(
        self, name: str, reader: DatasetReader, instances: Sequence[Instance], model_params: dict
    ) -> None:
        self.name = name
        self.reader = reader
        self.vocab = Vocabulary.from_instances(instances)
        for instance in instances:
            instance.index_fields(self.vocab)
        self.instances = instances
        self.model = Model.from_params(Params(copy.deepcopy(model_params)), vocab=self.vocab)

    def batches(self, max_tokens: int) -> List[TensorDict]:
        """Tensors of all instances, in the batches of `group_by_length`."""
        groups = group_by_length(self.instances, max_tokens)
        return [Batch(group).as_tensor_dict() for group in groups]

    @property
    def num_parameters(self) -> int:
        """The number of the model's parameters."""
        return sum(parameter.numel() for parameter in self.model.parameters())


def group_by_length(instances: Sequence[Instance], max_tokens: int) -> Iterator[List[Instance]]:
    """Batches of instances of similar length, with at most `max_tokens` tokens and padding."""
    for group in batches_of_similar_length([_length(i) for i in instances], max_tokens):
        yield [instances[position] for position in group]


def _length(instance: Instance) -> int:
    return len(instance["tokens"])  # type: ignore[arg-type]


def make_lisa(
    sentences: Sequence[Sentence],
    num_layers: int = 12,
    feedforward_num_layers: int = 2,
    precision: str = "float32",
    words: Words = WORD_VECTORS,
    reencodes: bool = False,
) -> System:
    """
    LISA, with layers of 8 heads of 25 and feed-forwards of 800, which have two linear layers as in
    the paper, or three as in the authors' code. If it `reencodes`, an instance is a predicate.
    """
    reader = Conll12SrlReader(token_indexers=words.indexers)
    if reencodes:
        instances = [i for sentence in sentences for i in reader.by_predicate(sentence)]
    else:
        instances = [reader.text_to_instance(sentence) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    model = {
        "type": "lisa",
        "text_field_embedder": words.embedder,
        "encoder": {
            "type": "syntactically_informed_self_attention",
            "num_layers": num_layers,
            "feedforward_num_layers": feedforward_num_layers,
            "parse_layer": min(5, num_layers),
        },
        "precision": precision,
    }
    if reencodes:
        model["predicate_indicator_embedding"] = {"embedding_dim": 100}
    return System(f"LISA, {num_layers} layers of 8 x 25", reader, instances, model)


PEER = {
    "type": "srl",
    "text_field_embedder": WORD_VECTORS.embedder,
    "encoder": {
        "type": "alternating_lstm",
        "input_size": 200,
        "hidden_size": 300,
        "num_layers": 8,
        "recurrent_dropout_probability": 0.1,
        "use_highway": True,
    },
    "binary_feature_dim": 100,
    "ignore_span_metric": True,
}
"""allennlp-models' `srl`: 8 alternating LSTM layers of 300."""


def make_peer(sentences: Sequence[Sentence]) -> System:
    """allennlp-models' `srl`, given the gold predicates."""
    reader = SrlReader(token_indexers=WORD_VECTORS.indexers)
    instances = list(_peer_instances(reader, sentences))
    return System("allennlp-models srl, 8 x 300", reader, instances, PEER)


def _peer_instances(reader: SrlReader, sentences: Sequence[Sentence]) -> Iterator[Instance]:
    """Yields one instance per gold predicate, in the order of the sentences and their frames."""
    for sentence in sentences:
        for frame in sentence.frames or []:
            indicator = [int(t == frame.predicate) for t in range(len(sentence.words))]
            tokens = [Token(word) for word in sentence.words]
            yield reader.text_to_instance(tokens, indicator, frame.tags)
