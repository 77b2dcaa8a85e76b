"""
Trains the network that splits raw text into sentences (`sentence_splitter`).

```
python -m experiments.english.splitter --ud UD_English-EWT
```

It learns from the text of the documents of EWT train in a checkout of UD_English-EWT.
`benchmarks.raw_text` measures the result. Vectors and weights are rounded to hundredths.
"""

import argparse
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterable, List, Sequence, Tuple

import torch
from torch.nn import functional

from experiments.english.ud_text import document_text, read_ud
from lisa_allennlp.data.preparation.ewt import UD_SOURCES
from lisa_allennlp.data.tokenizers.raw_text import RawTextTokenizer
from lisa_allennlp.data.tokenizers.sentence_splitter import (
    ADJACENT,
    NETWORK_FILE,
    PARAGRAPH,
    SPACE,
    keys,
    numbered,
    rows,
    words_and_spaces,
)

LEAST_COUNTS = {"words": 10, "shapes": 5}
"""How often an entry of a table is in the treebank."""

WIDTH, HIDDEN, KERNELS = 16, 24, (5, 9, 1)
"""The sizes of vectors and states, and the tokens that each layer sees."""

SEED, EPOCHS = 1, 15

RATE, DECAY = 0.01, 1e-4
"""The highest learning rate, and the weight decay."""

CHUNK = 2000
"""The number of tokens in a step."""

UNKNOWN, DROPOUT = 0.3, 0.3
"""The shares of words that are taken for unknown, and of states that are dropped."""

UD_LISTS = "not-to-release/file-lists"

VARIED = 0.02
"""The share of sentences that become one of each kind that the treebank has few of (`vary`)."""

ITEMS = [*map(str, range(1, 21)), *"abcdABCD", "ii", "iii", "II", "IV"]
ABBREVIATIONS = "a.m. p.m. Inc. Co. Ltd. etc. Ph.D.".split()
SPEAKERS = "he she they Mary Jones".split()
SPEAKING = "said asked cried replied answered shouted".split()

GAP = sum(KERNELS) // 2
"""The number of empty tokens between documents, more than the network sees on one side."""


Tokens = List[Tuple[str, int, bool]]
"""The words of a document, what is before each, and whether a sentence ends after it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ud", type=Path, required=True, help="a checkout of UD_English-EWT")
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    documents = read_documents(parser.parse_args().ud, random.Random(SEED))
    words = (word for document in documents for word, _, _ in document)
    found = zip(*map(keys, words), strict=True)
    tables = {
        name: frequent(entries, LEAST_COUNTS[name])
        for name, entries in zip(("words", "shapes"), found, strict=True)
    }
    network = Network([*(len(entries) + 1 for entries in tables.values()), 3])
    train(network, documents, tables)
    content = json.dumps({**tables, **network.to_json()}, ensure_ascii=False, separators=(",", ":"))
    NETWORK_FILE.write_text(content + "\n", encoding="utf-8", newline="\n")


def read_documents(ud: Path, rng: random.Random) -> List[Tokens]:
    """Reads the documents of EWT train, some of whose sentences vary."""
    listed = (ud / UD_LISTS / "files.train").read_text(encoding="utf-8").split()
    tokenizer = RawTextTokenizer()
    documents: List[Tokens] = []
    for name in listed:
        for sentences in read_ud(ud / UD_SOURCES / name):
            text, gold = document_text(sentences)
            offsets = tokenizer.tokens(text)
            ends = {sentence[-1][1] for sentence in gold}
            documents.append([])
            sentence: Tokens = []
            for word, space, (_, end) in zip(
                *words_and_spaces(text, offsets), offsets, strict=True
            ):
                sentence.append((word, space, end in ends))
                if end in ends:
                    documents[-1] += vary(sentence, rng)
                    sentence = []
            documents[-1] += sentence
    return documents


def vary(sentence: Tokens, rng: random.Random) -> Tokens:
    """
    Changes some sentences: to an item of a list, to capitals, to speech with a speaker, or to a
    sentence that ends with an abbreviation.
    """
    kind = rng.random() // VARIED
    (first, space, _), (last, before_last, _) = sentence[0], sentence[-1]
    is_long = len(sentence) > 3
    if kind == 0 and space == PARAGRAPH and is_long:
        number, mark = rng.choice(ITEMS), rng.choice(".)")
        return [
            (number, space, False),
            (mark, ADJACENT, False),
            (first, SPACE, False),
            *sentence[1:],
        ]
    if kind == 1:
        return [(word.upper(), space, is_end) for word, space, is_end in sentence]
    if kind == 2 and is_long and last in (".", "?", "!"):
        return [
            ('"', space, False),
            (first, ADJACENT, False),
            *sentence[1:-1],
            ("," if last == "." else last, before_last, False),
            ('"', ADJACENT, False),
            (rng.choice(SPEAKERS), SPACE, False),
            (rng.choice(SPEAKING), SPACE, False),
            (".", ADJACENT, True),
        ]
    if kind == 3 and is_long and last == ".":
        return [*sentence[:-2], (rng.choice(ABBREVIATIONS), SPACE, True)]
    return sentence


def frequent(entries: Iterable[str], least_count: int) -> List[str]:
    """Returns the entries of a table in a fixed order."""
    counts = Counter(entries)
    return sorted(entry for entry, count in counts.items() if count >= least_count)


class Network(torch.nn.Module):
    """The network of `sentence_splitter`, for training."""

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

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Returns the logits, (tokens,), for the rows in the tables, (tables, tokens)."""
        words, shapes, spaces = rows
        is_token = (spaces >= 0).unsqueeze(-1)
        if self.training:
            words = words * (torch.rand(words.shape) >= UNKNOWN)
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
        """Returns vectors and weights as the package reads them, in hundredths."""

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


def train(network: Network, documents: List[Tokens], tables: Dict[str, List[str]]) -> None:
    """Trains the network on chunks of the documents, in a new order in each epoch."""
    examples = [_example(document, *map(numbered, tables.values())) for document in documents]
    steps = EPOCHS * (sum(rows.shape[1] for rows, _ in examples) // CHUNK)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + EPOCHS)
    rng = random.Random(SEED)
    for epoch in range(EPOCHS):
        rng.shuffle(examples)
        rows, targets = (torch.cat(parts, dim=-1) for parts in zip(*examples, strict=True))
        losses = []
        for chunk in range(0, len(targets) - CHUNK + 1, CHUNK):
            part = slice(chunk, chunk + CHUNK)
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
        print(f"epoch {epoch + 1}: loss {sum(losses) / len(losses):.4f}", flush=True)


def _example(
    document: Tokens, words: Dict[str, int], shapes: Dict[str, int]
) -> Tuple[torch.Tensor, torch.Tensor]:
    """Rows (tables, tokens) and targets (tokens,), each with a gap; -1 is for what is no token."""
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


if __name__ == "__main__":
    main()
