"""The version number that archives carry, and the check of it."""

from typing import Any, Dict

import torch

from lisa_allennlp.common.errors import ConfigurationError

ARCHIVE_FORMAT = 2
"""Increased whenever a change to weights or vocabularies makes older archives unusable."""


class ArchiveFormatError(ConfigurationError):
    """Raised for weights whose archive format this version cannot load."""


class ArchiveFormat(torch.nn.Module):
    """
    A submodule that saves the archive format with a model's weights. Loading weights of another
    format fails with one line instead of a list of mismatched names.

    >>> weights = ArchiveFormat().state_dict()
    >>> weights
    OrderedDict([('number', tensor(2))])
    >>> ArchiveFormat().load_state_dict(weights)
    <All keys matched successfully>

    # Raises

    `ArchiveFormatError`
        In `load_state_dict`.
    """

    number: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("number", torch.tensor(ARCHIVE_FORMAT))

    def _load_from_state_dict(
        self, state_dict: Dict[str, Any], prefix: str, *args: Any, **kwargs: Any
    ) -> None:
        number = state_dict.get(f"{prefix}number")
        # Archives of format 1 have no number.
        found = 1 if number is None else int(number)
        if found != ARCHIVE_FORMAT:
            raise ArchiveFormatError(
                f"found a model of archive format {found}; expected {ARCHIVE_FORMAT}: train it "
                "again with this version of lisa-allennlp"
            )
        super()._load_from_state_dict(state_dict, prefix, *args, **kwargs)
