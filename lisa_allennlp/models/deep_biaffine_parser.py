"""The dependency parser of Dozat & Manning (2017)."""

from dataclasses import replace
from typing import Any, Dict, List, Optional

import torch
from allennlp.common import Lazy
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models.model import Model
from allennlp.modules import Embedding, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.fields import IGNORED_LABEL
from lisa_allennlp.decoding.decoder import make_parses
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.trees import decode_head_tags, find_root_label, mst_heads
from lisa_allennlp.models.sentence_model import (
    SentenceModel,
    VocabularyAxes,
    label_strings,
    rows,
    to_array,
)
from lisa_allennlp.modules.arc_scorers import ArcScorer, DeepBiaffine
from lisa_allennlp.modules.dropout import WholeInputDropout
from lisa_allennlp.modules.token_embedders import make_elmo_stateless
from lisa_allennlp.nn.precision import Precision
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.training.metrics import DependencyScore, MeanLosses

LABELS = "head_tags"


@Model.register("deep_biaffine_parser")
class DeepBiaffineParser(SentenceModel):
    """
    The graph-based parser of Dozat & Manning (2017), "Deep Biaffine Attention for Neural Dependency
    Parsing". A recurrent encoder reads words and tags. An arc scorer then scores the root and every
    other token as the head of each token, and scores the labels of the arcs of one tree: the gold
    tree in training, otherwise the maximum spanning tree of the arc scores with a single root.

    In tensors, a token attached to the root is its own head.

    Each layer takes its input size from the layer below, so a config states every size once.
    docs/parser.md has an override for each of the paper's comparisons.

    # Parameters

    vocab : `Vocabulary`
        The namespace `head_tags` has the arc labels. If one of them is `root`, in any
        capitalisation, the arc from the root always gets this label and no other arc does.
    text_field_embedder : `TextFieldEmbedder`
        Embeds the words. An ELMo in it keeps no state between batches.
    encoder : `Lazy[Seq2SeqEncoder]`
        A config leaves out `input_dim`, which the model sets.
    pos_tag_embedding : `Embedding`, optional (default = `None`)
        Embeds the tags. Without it the parser reads words only.
    attention : `Lazy[ArcScorer]`, optional (default = `DeepBiaffine`)
        Scores arcs and labels. A config leaves out `input_dim`, `num_labels` and `dropout`, which
        the model sets.
    word_dropout : `float`, optional (default = `0.33`)
        Probability of dropping a whole word vector.
    tag_dropout : `float`, optional (default = `0.33`)
        Probability of dropping a whole tag vector.
    dropout : `float`, optional (default = `0.33`)
        Dropout of the arc and label representations; one mask is shared by all tokens of a
        sentence. The encoder has its own dropout.
    precision : `str`, optional (default = `"float32"`)
        Precision of the matrix products after the embedder: `float32` or `bfloat16`. Arc scores,
        losses and decoding are always in single precision.
    """

    default_predictor = "conllu_parses"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Lazy[Seq2SeqEncoder],
        pos_tag_embedding: Optional[Embedding] = None,
        attention: Lazy[ArcScorer] = Lazy(DeepBiaffine),  # noqa: B008
        word_dropout: float = 0.33,
        tag_dropout: float = 0.33,
        dropout: float = 0.33,
        precision: str = "float32",
        initializer: InitializerApplicator = InitializerApplicator(),  # noqa: B008
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        self._labels = label_strings(vocab, LABELS)
        if not self._labels:
            raise ConfigurationError(
                f"found no labels in the vocabulary's namespace '{LABELS}'; expected the arc "
                "labels of the training data"
            )
        self._root_label = find_root_label(self._labels)
        self._text_field_embedder = make_elmo_stateless(text_field_embedder)
        self._pos_tag_embedding = pos_tag_embedding
        dims = [text_field_embedder.get_output_dim()]
        if pos_tag_embedding is not None:
            dims.append(pos_tag_embedding.get_output_dim())
        self._input_dropout = WholeInputDropout(dims, [word_dropout, tag_dropout][: len(dims)])
        self._encoder = encoder.construct(input_dim=sum(dims))
        state_dim = self._encoder.get_output_dim()
        self._root = torch.nn.Parameter(torch.randn(state_dim))
        self._arc_scorer = attention.construct(
            input_dim=state_dim, num_labels=len(self._labels), dropout=dropout
        )
        self._precision = Precision(precision)
        self._mean_losses = MeanLosses()
        self._attachment_scores = DependencyScore()
        initializer(self)

    def forward(
        self,
        words: TextFieldTensors,
        pos_tags: torch.Tensor,
        metadata: List[Dict[str, Any]],
        head_tags: Optional[torch.Tensor] = None,
        head_indices: Optional[torch.Tensor] = None,
    ) -> Dict[str, Any]:
        """
        Computes the loss and, outside training, parses and scores the sentences.

        # Parameters

        pos_tags : `torch.LongTensor`
            Shape `(batch_size, length)`.
        metadata : `List[Dict[str, Any]]`
            With the `Sentence` of each instance at `sentence`.
        head_tags, head_indices : `torch.LongTensor`, optional
            Shape `(batch_size, length)`: the gold labels and 0-based heads, a root being its own
            head; -100 for padding and for labels missing from the vocabulary, which the loss
            ignores.

        # Returns

        `Dict[str, Any]`
            `loss` in nats per token, if gold trees are given; outside training also `sentences`
            (`List[Sentence]`) with their predicted parses.
        """
        mask = get_text_field_mask(words)
        states = self._encode(words, pos_tags, mask)
        arc_scores = self._score_arcs(states)
        output: Dict[str, Any] = {}
        if head_tags is not None and head_indices is not None:
            output["loss"] = self._loss(states, arc_scores, mask, head_indices, head_tags)
        elif self.training:
            raise ConfigurationError(
                "cannot train without gold trees; found sentences without heads and labels, "
                "expected both (set the reader's requires_parses)"
            )
        if not self.training:
            gold = [item["sentence"] for item in metadata]
            output["sentences"] = self._decode(states, arc_scores, mask, gold)
            self._attachment_scores(output["sentences"], gold)
        return output

    def predict_sentences(  # type: ignore[override]
        self,
        words: TextFieldTensors,
        pos_tags: torch.Tensor,
        metadata: List[Dict[str, Any]],
        options: LabelOptions = LabelOptions(),  # noqa: B008
        **gold: Any,
    ) -> List[Sentence]:
        """With `options.details`, fills the `arc_scores` of sentences."""
        mask = get_text_field_mask(words)
        states = self._encode(words, pos_tags, mask)
        sentences = [item["sentence"] for item in metadata]
        return self._decode(states, self._score_arcs(states), mask, sentences, options.details)

    @property
    def reads_tags(self) -> bool:
        return self._pos_tag_embedding is not None

    def _encode(
        self, words: TextFieldTensors, pos_tags: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        """Shape `(batch_size, 1 + length, state_dim)`, the root first."""
        embedded = self._text_field_embedder(words)
        if self._pos_tag_embedding is not None:
            embedded = torch.cat([embedded, self._pos_tag_embedding(pos_tags)], dim=-1)
        with self._precision(mask.device, mask.numel()):
            states = self._encoder(self._input_dropout(embedded), mask)
        return torch.cat([self._root.expand(len(states), 1, -1), states], dim=1)

    def _score_arcs(self, states: torch.Tensor) -> torch.Tensor:
        """Shape `(batch_size, length, length)`."""
        with self._precision(states.device, states[:, 1:, 0].numel()):
            return self._arc_scorer.score_arcs(states)

    def _score_labels(self, states: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """Shape `(batch_size, length, num_labels)`, of the arcs to `heads`."""
        with self._precision(states.device, heads.numel()):
            return self._arc_scorer.score_labels(states, heads)

    def _loss(
        self,
        states: torch.Tensor,
        arc_scores: torch.Tensor,
        mask: torch.Tensor,
        head_indices: torch.Tensor,
        head_tags: torch.Tensor,
    ) -> torch.Tensor:
        head_logits = arc_scores.masked_fill(~mask.unsqueeze(1), float("-inf"))
        head_tag_logits = self._score_labels(states, head_indices.clamp(min=0))
        losses = {
            "arc_loss": _mean_cross_entropy(head_logits, head_indices),
            "head_tag_loss": _mean_cross_entropy(head_tag_logits, head_tags),
        }
        self._mean_losses(losses)
        return losses["arc_loss"] + losses["head_tag_loss"]

    @torch.no_grad()
    def _decode(
        self,
        states: torch.Tensor,
        arc_scores: torch.Tensor,
        mask: torch.Tensor,
        sentences: List[Sentence],
        details: bool = False,
    ) -> List[Sentence]:
        scores, lengths = to_array(arc_scores), to_array(mask.sum(-1))
        heads = mst_heads(scores, lengths)
        logits = to_array(self._score_labels(states, torch.from_numpy(heads).to(mask.device)))
        tags = decode_head_tags(logits, heads, self._root_label)
        parses = make_parses(lengths, heads, tags, self._labels)
        return [
            replace(
                sentence,
                frames=None,
                parse=parse,
                arc_scores=own[:length, :length].copy() if details else None,
            )
            for sentence, parse, own, length in zip(sentences, parses, scores, lengths, strict=True)
        ]

    def vocabulary_axes(self) -> VocabularyAxes:
        return {**super().vocabulary_axes(), **rows(self, "_arc_scorer._label_form", LABELS)}

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """The mean arc and label losses; outside training also UAS and LAS, from 0 to 100."""
        metrics = dict(self._mean_losses.get_metric(reset))
        if not self.training:
            metrics.update(self._attachment_scores.get_metric(reset))
        return metrics


def _mean_cross_entropy(logits: torch.Tensor, gold: torch.Tensor) -> torch.Tensor:
    total = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), gold.flatten(), ignore_index=IGNORED_LABEL, reduction="sum"
    )
    return total / (gold != IGNORED_LABEL).sum().clamp(min=1)
