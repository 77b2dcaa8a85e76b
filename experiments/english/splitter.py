"""
Trains the network that splits raw text into sentences (`sentence_splitter`).

```
python -m experiments.english.splitter --ud UD_English-EWT
```

It learns from the text of the documents of EWT train in a checkout of UD_English-EWT.
`benchmarks.raw_text` measures the result. Vectors and weights are rounded to hundredths.
"""

import argparse
import random
from pathlib import Path
from typing import List

import torch

from experiments.english.ud_text import document_text, read_ud
from lisa_allennlp.apps.prepare.ewt import UD_SOURCES
from lisa_allennlp.text.raw_text import RawTextTokenizer
from lisa_allennlp.text.sentence_splitter import (
    ADJACENT,
    NETWORK_FILE,
    PARAGRAPH,
    SPACE,
    words_and_spaces,
)
from lisa_allennlp.training.sentence_splitter import SEED, Tokens, train

UD_LISTS = "not-to-release/file-lists"

VARIED = 0.02
"""The share of sentences that become one of each kind that the treebank has few of (`vary`)."""

ITEMS = [*map(str, range(1, 21)), *"abcdABCD", "ii", "iii", "II", "IV"]
ABBREVIATIONS = "a.m. p.m. Inc. Co. Ltd. etc. Ph.D.".split()
SPEAKERS = "he she they Mary Jones".split()
SPEAKING = "said asked cried replied answered shouted".split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ud", type=Path, required=True, help="a checkout of UD_English-EWT")
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    content = train(read_documents(parser.parse_args().ud, random.Random(SEED)))
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


if __name__ == "__main__":
    main()
