"""The number that says which archives a version of the package can open."""

from typing import Any, Dict

import torch
from allennlp.common.checks import ConfigurationError

ARCHIVE_FORMAT = 2
"""Raised whenever weights or vocabularies change so that older archives cannot be used."""


class ArchiveFormatError(ConfigurationError):
    """Weights of another archive format than this version's."""

    lacks_archive_name = True
    """For `lisa_allennlp.common.user_errors`, which puts the archive's name before the message."""


class ArchiveFormat(torch.nn.Module):
    """
    A part of each model that is saved with its weights and refuses those of another format, in one
    line instead of a list of names that do not match.

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
        # Archives had no number before there was a second format.
        found = 1 if number is None else int(number)
        if found != ARCHIVE_FORMAT:
            raise ArchiveFormatError(
                f"found a model of archive format {found}; expected {ARCHIVE_FORMAT}: train it "
                "again with this version of lisa-allennlp"
            )
        super()._load_from_state_dict(state_dict, prefix, *args, **kwargs)
