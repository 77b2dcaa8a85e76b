"""The parser of Dozat & Manning 2017, LISA's source of better trees."""

from typing import Any, Dict, List, Optional, Tuple

import torch
from allennlp.common import Lazy
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models.model import Model
from allennlp.modules import Embedding, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.training.metrics import Average
from allennlp_models.structured_prediction.models.biaffine_dependency_parser import (
    BiaffineDependencyParser,
)

from lisa_allennlp.data.fields import IGNORED_LABEL
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.modules.arc_scorers import DeepBiaffine, ParseAttention
from lisa_allennlp.modules.dependency_decoding import mst_heads
from lisa_allennlp.modules.whole_input_dropout import WholeInputDropout
from lisa_allennlp.nn.precision import Precision
from lisa_allennlp.training.metrics.dependency_score import DependencyScore


@Model.register("deep_biaffine_parser")
class DeepBiaffineParser(BiaffineDependencyParser):
    """
    allennlp-models' `biaffine_parser` with what it lacks of Dozat & Manning 2017:

    - whole words and whole tags are dropped in training (`WholeInputDropout`);
    - arcs and labels can be scored in each of the paper's ways (`ParseAttention`);
    - at test time the heads are the maximum spanning tree of the arc scores alone, with one
      root, and the labels those of its arcs;
    - accuracy is counted as eval.pl does (`DependencyScore`: `uas`, `las`, `uas_with_punct`,
      `las_with_punct`), with labels compared as strings.

    The sizes of its layers follow from each other, so that a config states each of them once. The
    comparisons of the paper are options: docs/parser.md has an override for each.

    Registered as a `Model` with name "deep_biaffine_parser".

    # Parameters

    vocab : `Vocabulary`
    text_field_embedder : `TextFieldEmbedder`
        Embeds the words.
    encoder : `Lazy[Seq2SeqEncoder]`
        Is given its `input_dim`.
    pos_tag_embedding : `Embedding`, optional (default = `None`)
        Embeds the tags; without it the parser sees words only.
    attention : `Lazy[ParseAttention]`, optional (default = `DeepBiaffine`)
        Scores arcs and labels. Is given its `input_dim` and `num_labels`.
    word_dropout : `float`, optional (default = `0.33`)
        The probability to drop a word's vector.
    tag_dropout : `float`, optional (default = `0.33`)
        The probability to drop a tag's vector.
    dropout : `float`, optional (default = `0.33`)
        Of the encoder's output and of the representations, the same units at all tokens.
    precision : `str`, optional (default = `"float32"`)
        Of the matrix products after the embedder: `float32` or `bfloat16`. Scores of arcs, losses
        and decoding are in single precision in any case.
    initializer : `InitializerApplicator`, optional (default = one that changes nothing)
    serialization_dir : `str`, optional (default = `None`)
        Given by the trainer.
    """

    default_predictor = "conllu_parses"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Lazy[Seq2SeqEncoder],
        pos_tag_embedding: Optional[Embedding] = None,
        attention: Lazy[ParseAttention] = Lazy(DeepBiaffine),  # noqa: B008
        word_dropout: float = 0.33,
        tag_dropout: float = 0.33,
        dropout: float = 0.33,
        precision: str = "float32",
        initializer: InitializerApplicator = InitializerApplicator(),  # noqa: B008
        serialization_dir: Optional[str] = None,
    ) -> None:
        dims = [text_field_embedder.get_output_dim()]
        if pos_tag_embedding is not None:
            dims.append(pos_tag_embedding.get_output_dim())
        constructed = encoder.construct(input_dim=sum(dims))
        scorers = attention.construct(
            input_dim=constructed.get_output_dim(), num_labels=vocab.get_vocab_size("head_tags")
        )
        super().__init__(
            vocab,
            text_field_embedder,
            constructed,
            tag_representation_dim=scorers.label_dim,
            arc_representation_dim=scorers.arc_dim,
            tag_feedforward=scorers.label_feedforward,
            arc_feedforward=scorers.arc_feedforward,
            pos_tag_embedding=pos_tag_embedding,
            dropout=scorers.dropout_each(dropout),
            serialization_dir=serialization_dir,
        )
        # Places of the inherited parser at which it calls these modules.
        self._input_dropout = WholeInputDropout(dims, [word_dropout, tag_dropout][: len(dims)])
        self.arc_attention = scorers.arcs
        self.tag_bilinear = scorers.labels
        self._precision = Precision(precision)
        initializer(self)
        self._score = DependencyScore()
        self._average_losses = {"arc_loss": Average(), "head_tag_loss": Average()}

    def forward(
        self,
        words: TextFieldTensors,
        pos_tags: torch.Tensor,
        metadata: List[Dict[str, Any]],
        head_tags: Optional[torch.Tensor] = None,
        head_indices: Optional[torch.Tensor] = None,
    ) -> Dict[str, Any]:
        """
        # Parameters

        words : `TextFieldTensors`
        pos_tags : `torch.Tensor`
            Shape `(batch_size, length)`.
        metadata : `List[Dict[str, Any]]`
            With `words`, `pos` and `sentence`, for each sentence.
        head_tags : `torch.Tensor`, optional
            Shape `(batch_size, length)`.
        head_indices : `torch.Tensor`, optional
            Shape `(batch_size, length)`, 1-based, 0 for roots.

        # Returns

        `Dict[str, Any]`
            As the inherited parser; outside training, also `sentences` with their predicted parses.
        """
        if head_tags is not None:
            # A label that the parser does not know has no loss of its own; in training all are
            # known. The score compares strings.
            head_tags = head_tags.masked_fill(head_tags == IGNORED_LABEL, 0)
        output: Dict[str, Any] = super().forward(words, pos_tags, metadata, head_tags, head_indices)
        if head_indices is not None:
            self._average_losses["arc_loss"](output["arc_loss"].detach())
            self._average_losses["head_tag_loss"](output["tag_loss"].detach())
        if not self.training:
            gold = [meta["sentence"] for meta in metadata]
            output["sentences"] = self._label(gold, output["heads"], output["head_tags"])
            self._score(output["sentences"], gold)
        return output

    def _parse(
        self, embedded_text_input: torch.Tensor, *args: torch.Tensor, **kwargs: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        num_tokens = embedded_text_input.shape[:2].numel()
        with self._precision(embedded_text_input.device, num_tokens):
            result: Any = super()._parse(embedded_text_input, *args, **kwargs)
        return result

    def _greedy_decode(
        self,
        head_tag_representation: torch.Tensor,
        child_tag_representation: torch.Tensor,
        attended_arcs: torch.Tensor,
        mask: torch.Tensor,
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """Nothing, for the inherited parser decodes in training alone like this, to no use here."""
        nothing = torch.zeros_like(mask, dtype=torch.long)
        return nothing, nothing

    def _mst_decode(
        self,
        head_tag_representation: torch.Tensor,
        child_tag_representation: torch.Tensor,
        attended_arcs: torch.Tensor,
        mask: torch.Tensor,
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """
        # Parameters

        head_tag_representation : `torch.Tensor`
            Shape `(batch_size, length + 1, label_dim)`; here and below, the first is the root.
        child_tag_representation : `torch.Tensor`
            Shape `(batch_size, length + 1, label_dim)`.
        attended_arcs : `torch.Tensor`
            Shape `(batch_size, length + 1, length + 1)`, of dependents and heads.
        mask : `torch.Tensor`
            Shape `(batch_size, length + 1)`.

        # Returns

        `Tuple[torch.Tensor, torch.Tensor]`
            Heads and labels, each `(batch_size, length + 1)`.
        """
        # mst_heads wants a root to be its own head.
        scores = attended_arcs[:, 1:, 1:].clone()
        scores.diagonal(dim1=1, dim2=2).copy_(attended_arcs[:, 1:, 0])
        heads = mst_heads(scores, mask[:, 1:])
        own = torch.arange(heads.size(1), device=heads.device)
        heads = torch.where(heads == own, torch.zeros_like(heads), heads + 1)
        heads = torch.nn.functional.pad(heads.masked_fill(~mask[:, 1:], 0), (1, 0))
        labels = self._get_head_tags(head_tag_representation, child_tag_representation, heads)
        return heads, labels.argmax(dim=-1)

    def _label(
        self, gold: List[Sentence], heads: torch.Tensor, head_tags: torch.Tensor
    ) -> List[Sentence]:
        """The sentences with predicted parses, from numbers of shape `(batch_size, length + 1)`."""
        sentences = []
        for sentence, row, tags in zip(gold, heads.tolist(), head_tags.tolist(), strict=True):
            end = len(sentence.words) + 1
            parse = Parse(
                [t if head == 0 else head - 1 for t, head in enumerate(row[1:end])],
                [self.vocab.get_token_from_index(tag, "head_tags") for tag in tags[1:end]],
            )
            sentences.append(Sentence(sentence.words, sentence.pos, parse=parse))
        return sentences

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        Leaves `words`, `pos`, `predicted_heads` (1-based, 0 for the root) and
        `predicted_dependencies`.
        """
        output_dict.pop("sentences", None)
        readable = super().make_output_human_readable(output_dict)
        return {
            key: readable[key]
            for key in ("words", "pos", "predicted_heads", "predicted_dependencies")
        }

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """The mean losses of arcs and of labels; outside training also the scores, 0 to 100."""
        metrics = {
            name: average.get_metric(reset) for name, average in self._average_losses.items()
        }
        if not self.training:
            metrics.update(self._score.get_metric(reset))
        return metrics
