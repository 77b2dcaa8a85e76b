"""Trains the sentence splitter (`text.sentence_splitter`) of a treebank's language."""

import json
import logging
import random
import re
from collections import Counter
from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch
from torch.nn import functional

from lisa_allennlp.formats.conllu import text_of
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text import sentence_splitter
from lisa_allennlp.text.raw_text import RawTextTokenizer
from lisa_allennlp.text.sentence_splitter import (
    PARAGRAPH,
    english_network,
    keys,
    numbered,
    rows,
    words_and_spaces,
)

logger = logging.getLogger(__name__)

LEAST_COUNTS = {"words": 10, "shapes": 5}

WIDTH, HIDDEN, KERNELS = 16, 24, (5, 9, 1)

SEED, EPOCHS = 1, 15

RATE, DECAY = 0.01, 1e-4

CHUNK = 2000

HIDDEN_SHARE, DROPOUT = 0.3, 0.3
"""The shares of words that become unknown, and of states that are dropped."""

GAP = sum(KERNELS) // 2
"""The empty tokens between documents, more than the network sees on one side."""

IN_A_ROW = 10

NEW_PARAGRAPH, ATTACHED = 0.1, 0.5
"""The shares of sentences that begin a paragraph, and without blanks before punctuation."""

_PUNCTUATION_APART = re.compile(r" (?=[.,;:!?…)\]]+(?: |$))|(?<= [(\[]) |(?<=^[(\[]) ")

Tokens = List[Tuple[str, int, bool]]
"""The words of a document, the space before each, and whether a sentence ends after it."""


def train_on_treebank(sentences: Sequence[Sentence], language: str) -> str:
    """Returns a network in JSON that starts from the English one. Other random numbers stay."""
    documents = documents_of(sentences, RawTextTokenizer(language))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        return train(documents, english_network())


def documents_of(sentences: Sequence[Sentence], tokenizer: RawTextTokenizer) -> List[Tokens]:
    """
    Makes texts of a treebank's sentences, with blanks between sentences, if the language has any,
    and sometimes a blank line. Blanks before punctuation are lost in half of the sentences.
    """
    rng = random.Random(SEED)
    texts = list(map(text_of, sentences))
    blank = " " if 2 * sum(" " in text for text in texts) > len(texts) else ""
    documents: List[Tokens] = []
    for first in range(0, len(sentences), IN_A_ROW):
        text, ends = "", set()
        for own in texts[first : first + IN_A_ROW]:
            text += _PUNCTUATION_APART.sub("", own) if rng.random() < ATTACHED else own
            ends.add(len(text))
            text += "\n\n" if rng.random() < NEW_PARAGRAPH else blank
        offsets = tokenizer.tokens(text)
        found = zip(*words_and_spaces(text, offsets), offsets, strict=True)
        documents.append([(word, space, end in ends) for word, space, (_, end) in found])
    return documents


def train(documents: List[Tokens], start: Optional[sentence_splitter.Network] = None) -> str:
    """
    Trains a network and returns it in JSON. One that starts from another one has its entries, too:
    a small treebank then changes little.
    """
    words = (word for document in documents for word, _, _ in document)
    found = zip(*map(keys, words), strict=True)
    known = ((), ()) if start is None else (start.words, start.shapes)
    tables = {
        name: sorted({*own, *(e for e, n in Counter(entries).items() if n >= LEAST_COUNTS[name])})
        for name, entries, own in zip(LEAST_COUNTS, found, known, strict=True)
    }
    network = Network([*(len(entries) + 1 for entries in tables.values()), 3])
    if start is not None:
        network.start_from(start, tables)
    _train(network, documents, tables)
    return json.dumps({**tables, **network.to_json()}, ensure_ascii=False, separators=(",", ":"))


class Network(torch.nn.Module):
    def __init__(self, sizes: Sequence[int]) -> None:
        super().__init__()
        tables = [torch.nn.Embedding(n, WIDTH) for n in sizes]
        for table in tables:
            torch.nn.init.normal_(table.weight, std=0.3)
        self.vectors: Any = torch.nn.ModuleList(tables)
        # Each layer reads the vectors and the outputs of all layers before it.
        self.layers: Any = torch.nn.ModuleList(
            torch.nn.Conv1d(WIDTH + n * HIDDEN, outputs, size, padding="same")
            for n, (size, outputs) in enumerate(zip(KERNELS, (HIDDEN, HIDDEN, 1), strict=True))
        )

    @torch.no_grad()
    def start_from(self, other: sentence_splitter.Network, tables: Dict[str, List[str]]) -> None:
        known = zip((other.words, other.shapes), tables.values(), strict=True)
        sources = [[0, *(rows.get(entry, 0) for entry in table)] for rows, table in known]
        # What is before a token is the same for both.
        sources.append([0, 1, 2])
        for own, source, vectors in zip(self.vectors, sources, other.vectors, strict=True):
            own.weight.copy_(torch.from_numpy(vectors[source]))
        for layer, (kernel, bias) in zip(self.layers, other.layers, strict=True):
            layer.weight.copy_(torch.from_numpy(kernel).permute(2, 1, 0))
            layer.bias.copy_(torch.from_numpy(bias))

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Returns the logits, (tokens,), for the rows in the tables, (tables, tokens)."""
        words, shapes, spaces = rows
        is_token = (spaces >= 0).unsqueeze(-1)
        if self.training:
            words = words * (torch.rand(words.shape) >= HIDDEN_SHARE)
        states = sum(
            t(r) for t, r in zip(self.vectors, (words, shapes, spaces.clamp(min=0)), strict=True)
        )
        for layer in self.layers:
            # Beyond a text's ends there is nothing, as in the other implementation.
            states = functional.dropout(states * is_token, DROPOUT, self.training)
            outputs = layer(states.T).T
            states = torch.cat([states, outputs.relu()], dim=-1)
        return outputs[:, 0]

    def to_json(self) -> Dict[str, Any]:
        def hundredths(tensor: torch.Tensor) -> Any:
            return (100 * tensor.detach()).round().int().tolist()

        return {
            "vectors": [hundredths(table.weight) for table in self.vectors],
            "layers": [
                {
                    "kernel": hundredths(layer.weight.permute(2, 1, 0)),
                    "bias": hundredths(layer.bias),
                }
                for layer in self.layers
            ],
        }


def _train(network: Network, documents: List[Tokens], tables: Dict[str, List[str]]) -> None:
    examples = [_example(document, *map(numbered, tables.values())) for document in documents]
    size = sum(rows.shape[1] for rows, _ in examples)
    chunk = min(CHUNK, size)
    steps = EPOCHS * (size // chunk)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + EPOCHS)
    rng = random.Random(SEED)
    for epoch in range(EPOCHS):
        rng.shuffle(examples)
        rows, targets = (torch.cat(parts, dim=-1) for parts in zip(*examples, strict=True))
        losses = []
        for first in range(0, size - chunk + 1, chunk):
            part = slice(first, first + chunk)
            logits, is_end = network(rows[:, part]), targets[part]
            # The ends of paragraphs are known.
            loss = functional.binary_cross_entropy_with_logits(
                logits[is_end >= 0], is_end[is_end >= 0]
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        logger.info("epoch %d: loss %.4f", epoch + 1, sum(losses) / len(losses))


def _example(
    document: Tokens, words: Dict[str, int], shapes: Dict[str, int]
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Rows (tables, tokens) and targets (tokens,), each with a gap, where the target is -1."""
    found = [(*rows(word, words, shapes), space) for word, space, _ in document]
    follows = [*(space for _, space, _ in document[1:]), PARAGRAPH]
    targets = [
        -1 if following == PARAGRAPH else int(is_end)
        for following, (_, _, is_end) in zip(follows, document, strict=True)
    ]
    gap = [(0, 0, -1)] * GAP
    return torch.tensor([*found, *gap]).T, torch.tensor(
        [*targets, *[-1] * GAP], dtype=torch.float32
    )
