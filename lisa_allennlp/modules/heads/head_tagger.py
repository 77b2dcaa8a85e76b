"""Labels of the arcs of given trees (LISA section 2.2)."""

import torch

from lisa_allennlp.modules.biaffine import LabelBilinear
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    ParseReading,
)
from lisa_allennlp.nn.token_layout import TokenLayout


class HeadTagger(LabelBilinear):
    """
    Scores the labels of one arc per token, to a head that is chosen elsewhere.

    # Parameters

    label_dim : `int`
        The size of both representations.
    num_labels : `int`
    """

    def __init__(self, label_dim: int, num_labels: int) -> None:
        super().__init__(label_dim, label_dim, num_labels)

    def forward(  # type: ignore[override]
        self, parse: ParseReading, head_indices: torch.Tensor, layout: TokenLayout
    ) -> torch.Tensor:
        """
        # Parameters

        parse : `ParseReading`
        head_indices : `torch.LongTensor`
            Shape `(batch_size, length)`, not negative.
        layout : `TokenLayout`
            Of the batch.

        # Returns

        `torch.Tensor`
            Logits of shape `(batch_size, length, num_labels)`, in single precision.
        """
        index = head_indices.unsqueeze(-1).expand(-1, -1, parse.parents.size(-1))
        parents = layout.pack(parse.parents.gather(1, index))
        return layout.unpack(self.score_pairs(parse.dependents, parents).float())
