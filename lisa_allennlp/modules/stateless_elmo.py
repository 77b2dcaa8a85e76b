"""ELMo whose output for a sentence does not depend on earlier batches."""

from typing import Any, TypeVar

import torch
from allennlp.modules.elmo_lstm import ElmoLstm

Module = TypeVar("Module", bound=torch.nn.Module)


class StatelessElmoLstm(ElmoLstm):
    """
    AllenNLP's `ElmoLstm`, with the same parameters, but every sentence starts from a zero state.
    AllenNLP keeps the final states of a batch's rows and starts the next batch's rows from them, so
    that the same sentence is embedded differently after different sentences.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stateful = False

    def _update_states(self, final_states: Any, restoration_indices: torch.Tensor) -> None:
        """Keeps nothing: `ElmoLstm` calls this even if it is not stateful."""


def make_elmo_stateless(module: Module) -> Module:
    """
    Makes every ELMo inside a module a stateless one, in place, and returns the module. Parameters
    and their names stay.

    >>> lstm = ElmoLstm(input_size=2, hidden_size=2, cell_size=3, num_layers=1).eval()
    >>> sentence, mask = torch.ones(1, 3, 2), torch.ones(1, 3, dtype=torch.bool)
    >>> bool(lstm(sentence, mask).equal(lstm(sentence, mask)))
    False
    >>> lstm = make_elmo_stateless(lstm)
    >>> bool(lstm(sentence, mask).equal(lstm(sentence, mask)))
    True
    """
    for part in module.modules():
        if isinstance(part, ElmoLstm):
            # Another module in its place would need the names of its parents' attributes.
            part.__class__ = StatelessElmoLstm
            part.stateful = False
            part.reset_states()
    return module
