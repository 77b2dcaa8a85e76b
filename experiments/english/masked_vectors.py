"""
Pre-trains LISA's encoder on raw text: 15 % of the words are hidden, and the encoder learns to
predict the word vector of each. The vector is scored by its cosine with those of frequent words and
of the batch's other hidden words. Word vectors stay fixed; the encoder of characters learns with
the rest. All heads attend to words here, and what the syntactic head of `parse_layer` has in common
with them, its values, is kept.

The config's `lisa train --dry-run` writes the vocabulary, and the config as JSON, to a folder:

```
export LISA_DATA=ewt LISA_CORPUS=EWT LISA_VECTORS=vectors.txt.gz
CONFIG=training_configs/lib/english_fast.libsonnet
lisa train $CONFIG -s out/dry --dry-run
python -m experiments.english.masked_vectors out/dry --raw-text raw-text.txt.xz --minutes 77 \
    --output out/encoder.th
lisa train $CONFIG -s out/lisa -o '{"model.initializer": {"regexes": [
    ["_encoder._(input|layers|final)|characters",
     {"type": "pretrained", "weights_file_path": "out/encoder.th"}]]}}'
```
"""

import argparse
import random
import time
from collections import Counter
from itertools import chain, islice
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, NamedTuple, Sequence, cast

import torch
from allennlp.common import Params
from allennlp.common.file_utils import open_compressed
from allennlp.data import Vocabulary
from allennlp.modules import Embedding, Seq2SeqEncoder, TextFieldEmbedder, TokenEmbedder
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import cross_entropy, normalize

import lisa_allennlp.plugin  # noqa: F401
from experiments.english.raw_sentences import Words, escaped, suitable
from lisa_allennlp.data.tokenizers.raw_text import RawTextTokenizer, words_at
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    SyntacticallyInformedSelfAttention,
)
from lisa_allennlp.nn.precision import Precision

HIDDEN = 0.15
"""The share of the words that are hidden."""

PARAGRAPHS = 8000
"""How many are read at once, and put into batches of sentences of like length."""

HELD_OUT = 2000
"""The number of sentences, from the beginning, that the loss is reported on."""

FREQUENT = 3000
"""The number of words that each hidden word is distinguished from."""

LONGEST_WORD = 30
"""Of longer words, the encoder of characters reads the beginning."""

DROPPED = ("input", "attention", "feedforward", "residual")
"""The parts of the encoder that have dropout in the training of a LISA."""

WARMUP_STEPS = 500

CHECKPOINT_SECONDS = 600


class Batch(NamedTuple):
    """
    Sentences of like length: the indices of the words and of the distinct forms, both
    `(batch_size, length)`, the characters of the forms, `(num_forms, num_characters)`, the mask of
    the tokens, and which of them are hidden.
    """

    words: torch.Tensor
    forms: torch.Tensor
    characters: torch.Tensor
    mask: torch.BoolTensor
    hidden: torch.Tensor


class Prediction(NamedTuple):
    """The cross-entropy, the mean cosine and the accuracy at the hidden words."""

    loss: torch.Tensor
    cosine: torch.Tensor
    accuracy: torch.Tensor


def main() -> None:
    """Runs the command."""
    args = _parser().parse_args()
    torch.manual_seed(args.seed)
    vocab = Vocabulary.from_files(args.dry_run / "vocabulary")
    options = Params.from_file(args.dry_run / "config.json")["model"]
    parse_layer = options["encoder"]["parse_layer"]
    network = MaskedVectors(vocab, options)
    batches = Batches(vocab, args.tokens, random.Random(args.seed))
    parts = read(args.raw_text)
    first = next(parts)
    held_out, first = list(batches(first[:HELD_OUT])), first[HELD_OUT:]
    words = (batch.words[batch.mask].tolist() for batch in batches(first))
    network.set_frequent(Counter(chain.from_iterable(words)))
    start = saved = time.monotonic()
    steps = tokens = 0
    for batch in train(network, chain.from_iterable(map(batches, chain([first], parts))), args):
        steps += 1
        tokens += int(batch.mask.sum())
        if time.monotonic() - saved > CHECKPOINT_SECONDS:
            saved = time.monotonic()
            print(f"{steps:,} steps, {tokens:,} tokens:", network.evaluate(held_out), flush=True)
            torch.save(initial_weights(network, parse_layer), args.output)
    rate = tokens / (time.monotonic() - start)
    print(f"{steps:,} steps, {tokens:,} tokens, {rate:,.0f} per second:")
    print(network.evaluate(held_out))
    torch.save(initial_weights(network, parse_layer), args.output)


def train(
    network: "MaskedVectors", batches: Iterable[Batch], args: argparse.Namespace
) -> Iterator[Batch]:
    """Trains for so many minutes, in which the rate falls to zero. Yields what it has read."""
    trained = [weight for weight in network.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(trained, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    start = time.monotonic()
    for step, batch in enumerate(batches, start=1):
        left = 1 - (time.monotonic() - start) / (60 * args.minutes)
        if left < 0:
            break
        for group in optimizer.param_groups:
            group["lr"] = args.peak_rate * left * min(1.0, step / WARMUP_STEPS)
        optimizer.zero_grad()
        network(batch).loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        yield batch


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dry_run", type=Path, help="what `lisa train --dry-run` wrote")
    parser.add_argument("--raw-text", required=True, help="a paragraph per line; may be compressed")
    parser.add_argument("--minutes", type=float, required=True, help="to train for")
    parser.add_argument("--output", type=Path, required=True, help="the weights")
    parser.add_argument("--tokens", type=int, default=2000, help="in a batch")
    parser.add_argument("--peak-rate", type=float, default=0.0015, help="the learning rate")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def read(path: str) -> Iterator[List[Words]]:
    """Yields the sentences of so many paragraphs at a time."""
    tokenizer = RawTextTokenizer()
    with open_compressed(path) as file:
        while paragraphs := list(islice(file, PARAGRAPHS)):
            split = (
                words_at(paragraph, offsets)
                for paragraph in map(str.strip, paragraphs)
                for offsets in tokenizer.sentences(paragraph, max_words=256)
            )
            yield list(map(escaped, suitable(split)))


class Batches:
    """Makes batches of sentences, in a random order, in which other words are hidden each time."""

    def __init__(self, vocab: Vocabulary, tokens: int, generator: random.Random) -> None:
        self._words = vocab.get_token_to_index_vocabulary("tokens")
        self._characters = vocab.get_token_to_index_vocabulary("token_characters")
        self._unknown = vocab.get_token_index(vocab._oov_token, "tokens")
        self._unknown_character = vocab.get_token_index(vocab._oov_token, "token_characters")
        self._tokens = tokens
        self._random = generator

    def __call__(self, sentences: Sequence[Words]) -> Iterator[Batch]:
        noise = self._random.uniform
        order = sorted(sentences, key=lambda words: len(words) * noise(0.9, 1.1))
        batches: List[List[Words]] = [[]]
        for words in order:
            longest = max(map(len, [words, *batches[-1][-1:]]))
            if batches[-1] and (len(batches[-1]) + 1) * longest > self._tokens:
                batches.append([])
            batches[-1].append(words)
        self._random.shuffle(batches)
        return map(self._batch, batches)

    def _batch(self, sentences: List[Words]) -> Batch:
        forms: Dict[str, int] = {"": 0}
        of_forms = _padded([[forms.setdefault(w, len(forms)) for w in s] for s in sentences])
        known = [self._words.get(form.lower(), self._unknown) for form in forms]
        words = torch.tensor([0, *known[1:]])[of_forms]
        mask = of_forms > 0
        hidden = mask & (words != self._unknown) & (torch.rand(mask.shape) < HIDDEN)
        characters = _padded(
            [
                [self._characters.get(c, self._unknown_character) for c in f[:LONGEST_WORD]]
                for f in forms
            ]
        )
        return Batch(words, of_forms, characters, cast(torch.BoolTensor, mask), hidden)


def _padded(numbers: Sequence[Iterable[int]]) -> torch.Tensor:
    rows = [torch.tensor(row, dtype=torch.long) for row in numbers]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)


class MaskedVectors(torch.nn.Module):
    """A config's embedders and encoder, and the linear layer that predicts vectors."""

    def __init__(self, vocab: Vocabulary, options: Params) -> None:
        super().__init__()
        embedder = TextFieldEmbedder.from_params(options["text_field_embedder"], vocab=vocab)
        self.characters = cast(TokenEmbedder, embedder.token_embedder_characters)
        self._vectors = cast(Embedding, embedder.token_embedder_tokens).requires_grad_(False)
        dim = embedder.get_output_dim()
        encoder = options["encoder"].as_dict(quiet=True)
        # Hardly any sentence is read twice.
        encoder.update({f"{part}_dropout": 0.0 for part in DROPPED})
        encoder.update(input_dim=dim, parse_layer=None)
        self.encoder = cast(
            SyntacticallyInformedSelfAttention, Seq2SeqEncoder.from_params(Params(encoder))
        )
        self._precision = Precision(options["precision"])
        self._mask = torch.nn.Parameter(torch.randn(dim) * 0.1)
        self._output = torch.nn.Linear(self.encoder.get_output_dim(), self._vectors.output_dim)
        self._log_scale = torch.nn.Parameter(torch.tensor(2.0))
        self._directions = normalize(self._vectors.weight.detach(), dim=-1)

    def set_frequent(self, counts: "Counter[int]") -> None:
        """Sets the frequent words and the prior of all words."""
        size = len(self._directions)
        self._frequent = torch.tensor([word for word, _ in counts.most_common(FREQUENT)])
        self._is_frequent = torch.zeros(size, dtype=torch.bool)
        self._is_frequent[self._frequent] = True
        self._prior = torch.tensor([counts[word] + 1.0 for word in range(size)]).log()
        self._place = torch.zeros(size, dtype=torch.long)

    def predict(self, batch: Batch) -> torch.Tensor:
        """Predicts the vectors of the hidden words, `(num_hidden, dim)`."""
        mask = batch.mask
        of_forms = self.characters(batch.characters.unsqueeze(0)).squeeze(0)
        # PyTorch's other attention for CPUs is slower with these shapes.
        with self._precision(mask.device), sdpa_kernel(SDPBackend.MATH):
            characters = torch.nn.functional.embedding(batch.forms, of_forms)
            embedded = torch.cat([characters, self._vectors(batch.words)], dim=-1)
            embedded = torch.where(batch.hidden.unsqueeze(-1), self._mask, embedded)
            states = self.encoder.encode(embedded, mask).states
            return self._output(states[batch.hidden[mask]])

    def forward(self, batch: Batch) -> Prediction:
        """Compares the predicted vectors with those of the hidden words."""
        words = batch.words[batch.hidden]
        others = words[~self._is_frequent[words]].unique()
        candidates = torch.cat([self._frequent, others])
        self._place[candidates] = torch.arange(len(candidates))
        gold = self._place[words]
        predicted = normalize(self.predict(batch).float(), dim=-1)
        with self._precision(predicted.device):
            cosines = predicted @ self._directions[candidates].T
        logits = self._log_scale.exp() * cosines.float() + self._prior[candidates]
        cosine = (predicted * self._directions[words]).sum(-1).mean()
        accuracy = (logits.argmax(-1) == gold).float().mean()
        return Prediction(cross_entropy(logits, gold), cosine, accuracy)

    @torch.no_grad()
    def evaluate(self, batches: Sequence[Batch]) -> Dict[str, float]:
        """The means over batches."""
        columns = zip(*map(self, batches), strict=True)
        means = [torch.stack(column).mean().item() for column in columns]
        return dict(zip(Prediction._fields, means, strict=True))


def initial_weights(network: MaskedVectors, parse_layer: int) -> Dict[str, torch.Tensor]:
    """
    The weights of a LISA that the network has. The attention of `parse_layer` has the queries and
    keys of all heads but the last, whose values are those of the syntactic head.
    """
    encoder = network.encoder
    weights = {f"_encoder.{name}": weight for name, weight in encoder.state_dict().items()}
    prefix = "_text_field_embedder.token_embedder_characters"
    for name, weight in network.characters.state_dict().items():
        weights[f"{prefix}.{name}"] = weight
    dim, heads = encoder.sizes.dim, encoder.sizes.num_heads
    kept = dim - dim // heads
    for name in "weight", "bias":
        key = f"_encoder._layers.{parse_layer - 1}._attention._projection.{name}"
        queries, keys, values = weights[key].split(dim)
        weights[key] = torch.cat([queries[:kept], keys[:kept], values])
    return {name: weight.detach().clone() for name, weight in weights.items()}


if __name__ == "__main__":
    main()
