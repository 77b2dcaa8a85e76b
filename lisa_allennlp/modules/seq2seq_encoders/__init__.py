"""Encoders registered as AllenNLP's `Seq2SeqEncoder`."""

from allennlp.modules import Seq2SeqEncoder
from allennlp.modules.seq2seq_encoders import LstmSeq2SeqEncoder

# The name of the layer in supertaggers that version 0.20 and older ones trained.
Seq2SeqEncoder.register("fast_lstm")(LstmSeq2SeqEncoder)


class SizedEncoder(Seq2SeqEncoder):
    """Implements AllenNLP's methods for the sizes of inputs and outputs."""

    def __init__(self, input_dim: int, output_dim: int, bidirectional: bool = False) -> None:
        super().__init__()
        self._input_dim = input_dim
        self._output_dim = output_dim
        self._bidirectional = bidirectional

    def get_input_dim(self) -> int:
        return self._input_dim

    def get_output_dim(self) -> int:
        return self._output_dim

    def is_bidirectional(self) -> bool:
        return self._bidirectional
