"""Archives of another format are refused."""

import pytest
import torch

from lisa_allennlp.models.sentence_model import ARCHIVE_FORMAT, ArchiveFormat, ArchiveFormatError


class Network(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self._archive_format = ArchiveFormat()
        self.layer = torch.nn.Linear(2, 2)


def test_the_number_is_saved_and_read() -> None:
    state = Network().state_dict()
    assert int(state["_archive_format.number"]) == ARCHIVE_FORMAT
    Network().load_state_dict(state)


@pytest.mark.parametrize("number", [None, 1, ARCHIVE_FORMAT + 1])
def test_another_number_is_refused_before_names_that_do_not_match(number: int) -> None:
    state = Network().state_dict()
    state["renamed.weight"] = state.pop("layer.weight")
    del state["_archive_format.number"]
    if number is not None:
        state["_archive_format.number"] = torch.tensor(number)
    with pytest.raises(ArchiveFormatError, match=f"archive format {number or 1}; expected"):
        Network().load_state_dict(state)
