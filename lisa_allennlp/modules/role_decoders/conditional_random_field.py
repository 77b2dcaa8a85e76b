"""A linear-chain conditional random field that is normalised by a chain of matrix products."""

import torch
from allennlp.modules import ConditionalRandomField


class FastConditionalRandomField(ConditionalRandomField):
    """
    AllenNLP's `ConditionalRandomField` with the same parameters and likelihoods, many times as
    fast. A step of the forward algorithm multiplies the exponentiated scores of prefixes and
    transitions, where AllenNLP's sums a tensor of all pairs of labels for each sequence. The best
    prefix is subtracted first, so that the sum of each product is positive unless a transition
    scores below -87.

    >>> crf = FastConditionalRandomField(num_tags=3)
    >>> allennlp_crf = ConditionalRandomField(num_tags=3)
    >>> allennlp_crf.load_state_dict(crf.state_dict())
    <All keys matched successfully>
    >>> logits, labels = torch.randn(2, 4, 3), torch.tensor([[0, 1, 2, 2], [1, 0, 0, 1]])
    >>> torch.allclose(crf(logits, labels), allennlp_crf(logits, labels), atol=1e-4)
    True
    """

    def _input_likelihood(
        self, logits: torch.Tensor, transitions: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        """
        # Parameters

        logits : `torch.Tensor`
            Shape `(batch_size, length, num_labels)`.
        transitions : `torch.Tensor`
            Shape `(num_labels, num_labels)`, from the row's label to the column's.
        mask : `torch.BoolTensor`
            Shape `(batch_size, length)`. All padding is on the right.

        # Returns

        `torch.Tensor`
            Shape `(batch_size,)`: the log of the sum over all label sequences.
        """
        with torch.autocast(logits.device.type, enabled=False):
            moves = transitions.exp()
            prefixes = self.start_transitions + logits[:, 0]
            for scores, counts in zip(logits.unbind(1)[1:], mask.unbind(1)[1:], strict=True):
                # Detached, since its gradient cancels out.
                best = prefixes.detach().amax(dim=-1, keepdim=True)
                longer = ((prefixes - best).exp() @ moves).log() + best + scores
                prefixes = torch.where(counts.unsqueeze(-1), longer, prefixes)
            return (prefixes + self.end_transitions).logsumexp(dim=-1)
