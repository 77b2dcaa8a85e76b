"""Labels of the arcs of a given tree (LISA section 2.2)."""

import torch

from lisa_allennlp.modules.biaffine import LabelBilinear
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    ParseReading,
)
from lisa_allennlp.nn.token_layout import TokenLayout


class HeadTagger(LabelBilinear):
    """
    Scores the labels of the arc from each token to its given head.

    >>> from lisa_allennlp.nn.padded_tokens import lay_out
    >>> layout = lay_out(torch.ones(1, 3, dtype=torch.bool))
    >>> parse = ParseReading(torch.zeros(1, 3, 3), torch.randn(3, 4), torch.randn(1, 3, 4))
    >>> HeadTagger(label_dim=4, num_labels=5)(parse, torch.tensor([[1, 1, 1]]), layout).shape
    torch.Size([1, 3, 5])

    # Parameters

    label_dim : `int`
        The size of the dependent and parent representations.
    """

    def __init__(self, label_dim: int, num_labels: int) -> None:
        super().__init__(label_dim, label_dim, num_labels)

    def forward(  # type: ignore[override]
        self, parse: ParseReading, head_indices: torch.Tensor, layout: TokenLayout
    ) -> torch.Tensor:
        """
        # Parameters

        head_indices : `torch.LongTensor`
            Shape `(batch_size, length)`, 0-based; not negative, even at padding.
        layout : `TokenLayout`
            The layout of the batch.

        # Returns

        `torch.Tensor`
            Logits of shape `(batch_size, length, num_labels)`, in single precision.
        """
        index = head_indices.unsqueeze(-1).expand(-1, -1, parse.parents.size(-1))
        parents = layout.pack(parse.parents.gather(1, index))
        return layout.unpack(self.score_pairs(parse.dependents, parents).float())
