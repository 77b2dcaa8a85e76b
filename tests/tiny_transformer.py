"""A Hugging Face encoder of little size and random weights, written to a folder."""

import string
from pathlib import Path

import torch
from transformers import BertConfig, BertModel, BertTokenizerFast

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
CHARACTERS = list(string.ascii_letters + string.digits + string.punctuation)


def make_tiny_transformer(folder: Path, num_positions: int = 512) -> str:
    """Returns the folder's path. Word pieces are single characters."""
    folder.mkdir(parents=True)
    pieces = [*SPECIAL, *CHARACTERS, *(f"##{character}" for character in CHARACTERS)]
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(pieces) + "\n", encoding="utf-8")
    BertTokenizerFast(str(vocabulary), do_lower_case=False).save_pretrained(folder)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=num_positions,
    )
    BertModel(config).save_pretrained(folder)
    return str(folder)
