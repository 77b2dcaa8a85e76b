"""Layers that score the labels of LISA's tasks. They read the states of an encoded batch."""

from typing import Optional, cast

import torch
from allennlp.common import Registrable
from allennlp.modules import TokenEmbedder

from lisa_allennlp.modules.arc_scorers import LabelForm
from lisa_allennlp.modules.biaffine import LabelBilinear
from lisa_allennlp.modules.dropout import Dropout, StateDropout
from lisa_allennlp.modules.self_attention import LEAKY_RELU_SLOPE
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    EncodedSentences,
)
from lisa_allennlp.modules.syntactic_heads import ParseReading


class JointTagger(torch.nn.Module):
    """
    POS tags and predicates as one classification, over `VBD` and `VBD:predicate` (LISA 2.3).
    Dropout applies to the input of each layer.

    # Parameters

    hidden_dim : `int`, optional (default = `None`)
        The size of a layer with a leaky ReLU before the classifier. The logits then pass a leaky
        ReLU, too, as in the authors' code.
    """

    def __init__(
        self,
        input_dim: int,
        num_joint_tags: int,
        dropout: float,
        hidden_dim: Optional[int] = None,
        variational_dropout: bool = False,
    ) -> None:
        super().__init__()
        self._dropout = StateDropout(dropout, variational_dropout)
        self._hidden: Optional[torch.nn.Linear] = None
        if hidden_dim is not None:
            self._hidden = torch.nn.Linear(input_dim, hidden_dim)
        self._projection = torch.nn.Linear(hidden_dim or input_dim, num_joint_tags)
        self._activation = torch.nn.LeakyReLU(LEAKY_RELU_SLOPE)

    def forward(self, encoded: EncodedSentences) -> torch.Tensor:
        """Returns `(batch_size, length, num_joint_tags)` logits."""
        layout, states = encoded.layout, encoded.predicate_states
        if self._hidden is None:
            return layout.unpack(self._projection(self._dropout(states, layout)))
        hidden = self._activation(self._hidden(self._dropout(states, layout)))
        return layout.unpack(self._activation(self._projection(self._dropout(hidden, layout))))


def score_head_tags(
    form: LabelForm, encoded: EncodedSentences, head_indices: torch.Tensor
) -> torch.Tensor:
    """
    Scores the labels of arcs (LISA section 2.2), `(batch_size, length, num_labels)`, with the form
    that the syntactic head made. In the heads, `(batch_size, length)`, a root is its own.
    """
    layout, parse = encoded.layout, cast(ParseReading, encoded.parse)
    index = head_indices.unsqueeze(-1).expand(-1, -1, parse.parents.size(-1))
    parents = layout.pack(parse.parents.gather(1, index))
    return layout.unpack(form.score_pairs(parse.dependents, parents))


class RoleScorer(torch.nn.Module):
    """
    Projects tokens to predicate and role representations, and scores each predicate against the
    tokens of its sentence with a bilinear form per label (LISA section 2.4, equation 6). Each
    sentence is encoded once for all its predicates. Dropout applies to both representations.
    """

    def __init__(
        self,
        input_dim: int,
        predicate_dim: int,
        role_dim: int,
        num_labels: int,
        dropout: float,
        variational_dropout: bool = False,
    ) -> None:
        super().__init__()
        self._predicate_projection = torch.nn.Linear(input_dim, predicate_dim)
        self._role_projection = torch.nn.Linear(input_dim, role_dim)
        self._activation = torch.nn.LeakyReLU(LEAKY_RELU_SLOPE)
        self._dropout = StateDropout(dropout, variational_dropout)
        self._bilinear = LabelBilinear(predicate_dim, role_dim, num_labels)

    def forward(
        self,
        encoded: EncodedSentences,
        sentence_indices: torch.Tensor,
        predicate_indices: torch.Tensor,
    ) -> torch.Tensor:
        """
        Returns `(num_frames, length, num_labels)` logits from the batch index of each frame's
        sentence and the position of its predicate there, both `(num_frames,)`.
        """
        layout, states = encoded.layout, encoded.states
        of_predicates = states.index_select(0, layout.rows(sentence_indices, predicate_indices))
        predicates = self._activation(self._predicate_projection(of_predicates))
        roles = self._activation(self._role_projection(states))
        return self._bilinear(
            self._dropout(predicates, layout, sentence_indices),
            layout.unpack(self._dropout(roles, layout)),
            sentence_indices,
        )


class SenseTagger(torch.nn.Module, Registrable):
    """
    Scores the rolesets that each predicate may have. There is a row of weights per roleset of the
    training data, but only the rows of the candidates are read. Dropout applies to the states.

    # Parameters

    descriptions : `TokenEmbedder`, optional (default = `None`)
        A vector per roleset, made from its description. The scores of a bilinear form with them
        are added. In training, half of the predicates are scored by that form alone, so that it
        also learns to tell rare rolesets apart (Blevins and Zettlemoyer 2020, "Moving Down the Long
        Tail of Word Sense Disambiguation with Gloss Informed Bi-encoders").
    """

    default_implementation = "linear"

    def __init__(
        self,
        input_dim: int,
        num_senses: int,
        dropout: float = 0.3,
        descriptions: Optional[TokenEmbedder] = None,
    ) -> None:
        super().__init__()
        self._dropout = Dropout(dropout)
        self._projection = torch.nn.Linear(input_dim, num_senses)
        self._descriptions = descriptions
        if descriptions is not None:
            self._to_descriptions = torch.nn.Linear(input_dim, descriptions.get_output_dim())

    def forward(
        self,
        encoded: EncodedSentences,
        sentence_indices: torch.Tensor,
        predicate_indices: torch.Tensor,
        candidates: torch.Tensor,
    ) -> torch.Tensor:
        """
        Returns `(num_frames, num_candidates)` logits in single precision, for predicates as in
        `RoleScorer` and the indices of their candidate rolesets, `(num_frames, num_candidates)`.
        Negative candidates are padding, with very low logits.
        """
        rows = encoded.layout.rows(sentence_indices, predicate_indices)
        known = candidates.clamp(min=0)
        # As for arcs, small differences decide between rolesets.
        with torch.autocast(candidates.device.type, enabled=False):
            states = self._dropout(encoded.states.index_select(0, rows).float())
            weight = torch.nn.functional.embedding(known, self._projection.weight)
            logits = torch.matmul(weight, states.unsqueeze(-1)).squeeze(-1)
            logits = logits + self._projection.bias[known]
            if self._descriptions is not None:
                if self.training:
                    logits = logits * (torch.rand_like(logits[:, :1]) < 0.5)
                meanings = self._to_descriptions(states).unsqueeze(-1)
                logits = logits + torch.matmul(self._descriptions(known), meanings).squeeze(-1)
        return logits.masked_fill(candidates < 0, torch.finfo(logits.dtype).min)


# Configs name the type.
SenseTagger.register("linear")(SenseTagger)
