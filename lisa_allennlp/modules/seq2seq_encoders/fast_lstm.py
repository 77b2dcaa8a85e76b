"""An LSTM that is fast on CPUs."""

from typing import Optional

import torch
from allennlp.modules import Seq2SeqEncoder
from allennlp.modules.seq2seq_encoders import PytorchSeq2SeqWrapper

from lisa_allennlp.nn.cpu.lstm_recurrence import close_padding, lstm_recurrence
from lisa_allennlp.nn.precision import in_product_precision


@Seq2SeqEncoder.register("fast_lstm")
class FastLstm(PytorchSeq2SeqWrapper):
    """
    One layer of LSTM: what AllenNLP's `lstm` computes, with the same parameters under the same
    names, but on a CPU about 1.5 times as fast in updates of one sentence, and faster by far in
    reduced precision. On a GPU it is PyTorch's.

    # Parameters

    input_size : `int`
    hidden_size : `int`
        The size of each direction's states.
    bidirectional : `bool`, optional (default = `False`)
    """

    def __init__(self, input_size: int, hidden_size: int, bidirectional: bool = False) -> None:
        super().__init__(
            torch.nn.LSTM(input_size, hidden_size, batch_first=True, bidirectional=bidirectional)
        )

    def forward(  # type: ignore[override]
        self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor] = None
    ) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`
            Shape `(batch_size, length, input_size)`.
        mask : `torch.BoolTensor`, optional
            Shape `(batch_size, length)`; padding is on the right.

        # Returns

        `torch.Tensor`
            The states, shape `(batch_size, length, hidden_size)`, or twice that size, forwards and
            backwards, if the layer is bidirectional. They are 0 in padding.
        """
        if inputs.device.type != "cpu":
            return super().forward(inputs, mask)  # type: ignore[arg-type]
        # Once, and not in each direction.
        by_time = in_product_precision(inputs).transpose(0, 1).contiguous()
        states = [self._direction(by_time, mask, suffix) for suffix in self._suffixes()]
        return torch.cat(states, dim=-1).transpose(0, 1)

    def _suffixes(self) -> list:
        return ["", "_reverse"] if self._is_bidirectional else [""]

    def _direction(
        self, by_time: torch.Tensor, mask: Optional[torch.BoolTensor], suffix: str
    ) -> torch.Tensor:
        weights = (
            getattr(self._module, f"{name}_l0{suffix}")
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        input_weight, recurrent_weight, input_bias, recurrent_bias = weights
        gates = torch.nn.functional.linear(by_time, input_weight, input_bias + recurrent_bias)
        if mask is not None:
            gates = close_padding(gates, mask)
        return lstm_recurrence(gates, recurrent_weight, reverse=bool(suffix))
