"""LISA and SA, which predict tags, predicates, a parse and semantic roles in one pass."""

from typing import Any, Dict, List, Optional, Sequence

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models.model import Model
from allennlp.modules import Embedding, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.models.confidence import Confidence, Probabilities
from lisa_allennlp.models.label_names import BatchPrediction, LabelNames
from lisa_allennlp.models.lisa_loss import GoldLabels, MultiTaskLoss, TaskScores
from lisa_allennlp.models.sentence_model import SentenceModel, VocabularyAxes, rows
from lisa_allennlp.modules.dependency_decoding import (
    arc_probabilities,
    check_parse_decoder,
    decode_head_tags,
    decode_heads,
)
from lisa_allennlp.modules.heads.head_tagger import HeadTagger
from lisa_allennlp.modules.heads.joint_tagger import JointTagger
from lisa_allennlp.modules.heads.predicates import append_indicator, find_predicates
from lisa_allennlp.modules.heads.role_scorer import RoleScorer
from lisa_allennlp.modules.heads.sense_tagger import SenseScores, SenseTagger
from lisa_allennlp.modules.role_decoders import RoleDecoder
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    EncodedSentences,
    SyntacticallyInformedSelfAttention,
)
from lisa_allennlp.modules.stateless_elmo import make_elmo_stateless
from lisa_allennlp.nn.precision import Precision
from lisa_allennlp.training.metrics import (
    DependencyScore,
    PosAccuracy,
    PredicateScore,
    SenseAccuracy,
    SentenceMetric,
    SrlScore,
)


@Model.register("lisa")
class Lisa(SentenceModel):
    """
    Linguistically-Informed Self-Attention (Strubell et al. 2018). Without a syntactic head in the
    encoder it is the paper's syntax-free baseline SA. Training conditions on gold predicates and
    the gold tree (section 2.5). Prediction conditions on predicted predicates and trees, or on an
    injected tree (section 2.2).

    >>> import lisa_allennlp.plugin
    >>> from allennlp.common import Params
    >>> labels = {"joint_tags": ["VB:predicate"], "role_labels": ["B-V"], "head_tags": ["root"]}
    >>> embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}}
    >>> encoder = {
    ...     "type": "syntactically_informed_self_attention",
    ...     "num_layers": 2,
    ...     "num_heads": 2,
    ...     "predicate_layer": 1,
    ...     "parse_layer": 2,
    ... }
    >>> config = {"type": "lisa", "text_field_embedder": embedder, "encoder": encoder}
    >>> lisa = Model.from_params(Params(config), vocab=Vocabulary(tokens_to_add=labels)).eval()
    >>> [sentence] = lisa.label(
    ...     tokens={"tokens": {"tokens": torch.tensor([[1]])}},
    ...     metadata=[{"sentence": Sentence(["Run"])}],
    ... )
    >>> sentence
    <Sentence 'Run' | Run: [V: Run]>
    >>> sentence.pos, sentence.parse
    (['VB'], Parse(head_indices=[0], head_tags=['root']))

    # Parameters

    vocab : `Vocabulary`
        Has the namespaces `joint_tags`, `role_labels` and, for LISA, `head_tags`; for a
        `sense_tagger` also `sense_labels` and `form_sense_labels`.
    text_field_embedder : `TextFieldEmbedder`
        An ELMo in it keeps no state between batches.
    encoder : `Lazy[Seq2SeqEncoder]`
        A `syntactically_informed_self_attention`. A config leaves out `input_dim`, which the model
        sets to the size of the embedded tokens.
    role_decoder : `Lazy[RoleDecoder]`, optional (default = `viterbi`)
        Decodes role logits into BIO labels.
    predicate_dim, role_dim : `int`, optional (default = `200`)
        Sizes of the predicate and role representations that are scored against each other.
    role_dropout : `float`, optional (default = `0.1`)
        Dropout of the predicate and role representations.
    label_smoothing : `float`, optional (default = `0.0`)
        Smoothing of joint tags, arc labels and roles. The authors' code uses 0.1, for roles only.
    arc_loss_weight : `float`, optional (default = `1.0`)
        Lambda 1 of equation 7.
    head_tag_loss_weight : `float`, optional (default = `0.1`)
        Lambda 2 of equation 7.
    predicate_threshold : `float`, optional (default = `0.5`)
        A token is a predicate if its predicate probability is above this threshold.
    parse_decoder : `str`, optional (default = `"argmax"`)
        Decoder of the parses that `forward` scores: `argmax`, the best head of each token, as in
        the paper; or `mst`, the best tree with a single root, where only the arc from the root has
        the label `root`.
    report_mst : `bool`, optional (default = `False`)
        Whether to report the scores of the best trees as well (`mst_uas`, `mst_las`, ...).
    confidence : `Confidence`, optional
        Temperatures of the probabilities, and the least probability of arguments.
    precision : `str`, optional (default = `"float32"`)
        Precision of the matrix products after the embedder: `float32` or `bfloat16`. Scores, losses
        and decoding are always in single precision.
    predicate_indicator_embedding : `Lazy[Embedding]`, optional (default = `None`)
        Builds a model for the gold-predicate setting (section 4.1, Table 2). Each instance has one
        predicate (the reader's `one_predicate_per_instance`), and the embedding of the predicate
        indicator is appended to each embedded token. A config leaves out `num_embeddings`.
    sense_tagger : `Lazy[SenseTagger]`, optional (default = `None`)
        Predicts the roleset of each predicate from its final state. It needs a reader with the
        option `senses`. A config leaves out `input_dim` and `num_senses`.
    sense_loss_weight : `float`, optional (default = `0.1`)
        The weight of the rolesets in the loss.
    initializer : `InitializerApplicator`, optional

    # Raises

    `ConfigurationError`
        If the encoder has another type or an option is unknown; if there is a `sense_tagger` but no
        roleset in the vocabulary; in training, if gold annotation is missing; if instances have a
        predicate indicator but the model has no embedding of it, or the reverse.
    """

    default_predictor = "lisa"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Lazy[Seq2SeqEncoder],
        role_decoder: Lazy[RoleDecoder] = Lazy(RoleDecoder),  # noqa: B008
        predicate_dim: int = 200,
        role_dim: int = 200,
        role_dropout: float = 0.1,
        label_smoothing: float = 0.0,
        arc_loss_weight: float = 1.0,
        head_tag_loss_weight: float = 0.1,
        predicate_threshold: float = 0.5,
        parse_decoder: str = "argmax",
        report_mst: bool = False,
        confidence: Confidence = Confidence(),  # noqa: B008
        precision: str = "float32",
        predicate_indicator_embedding: Optional[Lazy[Embedding]] = None,
        sense_tagger: Optional[Lazy[SenseTagger]] = None,
        sense_loss_weight: float = 0.1,
        initializer: Optional[InitializerApplicator] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        check_parse_decoder(parse_decoder)
        self._text_field_embedder = make_elmo_stateless(text_field_embedder)
        input_dim = text_field_embedder.get_output_dim()
        self._indicator_embedding: Optional[Embedding] = None
        if predicate_indicator_embedding is not None:
            self._indicator_embedding = predicate_indicator_embedding.construct(num_embeddings=2)
            input_dim += self._indicator_embedding.get_output_dim()
        self._encoder = _construct_encoder(encoder, input_dim)
        self._names = LabelNames(vocab)
        dim = self._encoder.get_output_dim()
        self._joint_tagger = JointTagger(dim, self._names.pos_of_joint, self._names.is_predicate)
        self._head_tagger: Optional[HeadTagger] = None
        if self._encoder.has_syntactic_head:
            self._head_tagger = HeadTagger(self._encoder.label_dim, len(self._names.head_tags))
        self._role_scorer = RoleScorer(
            dim, predicate_dim, role_dim, len(self._names.roles), role_dropout
        )
        self._role_decoder = role_decoder.construct(**self._names.role_constraints())
        self._sense_tagger: Optional[SenseTagger] = None
        if sense_tagger is not None:
            self._sense_tagger = _construct_sense_tagger(sense_tagger, dim, len(self._names.senses))
        self._loss = MultiTaskLoss(
            label_smoothing, arc_loss_weight, head_tag_loss_weight, sense_loss_weight
        )
        self._predicate_threshold = predicate_threshold
        self._parse_decoder = parse_decoder
        self._confidence = confidence
        self._precision = Precision(precision)
        self._metrics: List[SentenceMetric] = [SrlScore(), PosAccuracy()]
        if not self.needs_predicates:
            self._metrics.append(PredicateScore())
        if self.predicts_parse:
            self._metrics.append(DependencyScore())
        if self._sense_tagger is not None:
            self._metrics.append(SenseAccuracy())
        self._mst_score = DependencyScore() if report_mst and self.predicts_parse else None
        if initializer is not None:
            initializer(self)

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        metadata: List[Dict[str, Any]],
        joint_tags: Optional[torch.Tensor] = None,
        head_indices: Optional[torch.Tensor] = None,
        head_tags: Optional[torch.Tensor] = None,
        frames: Optional[Dict[str, torch.Tensor]] = None,
        injected_head_indices: Optional[torch.Tensor] = None,
        given_predicates: Optional[torch.Tensor] = None,
        predicate_indicator: Optional[torch.Tensor] = None,
        **fields: Any,
    ) -> Dict[str, Any]:
        """
        # Parameters

        tokens : `TextFieldTensors`
        metadata : `List[Dict[str, Any]]`
            With the `Sentence` of each instance at `sentence`.
        joint_tags, head_indices, head_tags, frames : optional
            As in `GoldLabels`.
        injected_head_indices : `torch.LongTensor`, optional
            Shape `(batch_size, length)`: the heads of a tree that replaces the model's own;
            negative for tokens without an injected head. Ignored in training.
        given_predicates : `torch.LongTensor`, optional
            As for `find_predicates`. Ignored in training.
        predicate_indicator : `torch.LongTensor`, optional
            As for `append_indicator`. Models with a `predicate_indicator_embedding` label only the
            frame of this predicate.
        **fields
            As for `auxiliary_losses`.

        # Returns

        `Dict[str, Any]`
            `loss` in nats per token, if gold labels are given; outside training also the labelled
            `sentences` (`List[Sentence]`).
        """
        mask = get_text_field_mask(tokens)
        gold = GoldLabels(joint_tags, head_indices, head_tags, frames)
        if self.training:
            gold.check_complete(self.predicts_parse, self._sense_tagger is not None)
            injected_head_indices = head_indices
        encoded = self._encode(tokens, mask, predicate_indicator, injected_head_indices)
        heads = self._choose_heads(encoded, mask, injected_head_indices, self._parse_decoder)
        scores = self._score(encoded, heads, frames)
        sources = [item["sentence"] for item in metadata]
        if frames is not None and "senses" in frames and self._sense_tagger is not None:
            indices = frames["sentence_indices"], frames["predicate_indices"]
            pos, _ = self._joint_tagger.marginalise(scores.joint_logits)
            senses = self._score_senses(encoded, sources, pos, *indices)
            scores = scores._replace(senses=senses)

        output: Dict[str, Any] = {}
        auxiliary = self.auxiliary_losses(encoded, gold, **fields)
        loss = self._loss(scores, gold, mask, self._role_decoder, auxiliary)
        if loss is not None:
            output["loss"] = loss
        if self.training:
            return output
        given = given_predicates if predicate_indicator is None else predicate_indicator
        prediction = self._predict(encoded, scores, heads, mask, given, self._parse_decoder)
        prediction = self._with_senses(prediction, encoded, sources)
        output["sentences"] = self._names.label(sources, prediction)
        for metric in self._metrics:
            metric(output["sentences"], sources)
        if self._mst_score is not None:
            trees = self._best_trees(encoded, mask, injected_head_indices, prediction)
            self._mst_score(self._names.label(sources, trees), sources)
        return output

    def auxiliary_losses(
        self, encoded: EncodedSentences, gold: GoldLabels, **fields: Any
    ) -> Dict[str, torch.Tensor]:
        """
        The losses of the tasks that a subclass adds: here none. `forward` calls it in training and
        in validation, and `predict_sentences` does not.

        # Parameters

        encoded : `EncodedSentences`
        gold : `GoldLabels`
        **fields
            The tensors of the fields that only the subclass's reader creates.

        # Returns

        `Dict[str, torch.Tensor]`
            Scalars in nats, weighted and summed over the batch, for all tasks with gold labels.
            They are divided by the number of tokens and added to the loss. The metric of a task has
            the name `NAME_loss`.

        # Raises

        `ConfigurationError`
            If there are fields, which no model of this package reads.
        """
        if fields:
            raise ConfigurationError(
                f"the reader's instances: found the fields {', '.join(fields)}; expected only "
                f"those that {type(self).__name__} reads (a subclass may read others in "
                "auxiliary_losses)"
            )
        return {}

    def predict_sentences(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        metadata: List[Dict[str, Any]],
        injected_head_indices: Optional[torch.Tensor] = None,
        given_predicates: Optional[torch.Tensor] = None,
        predicate_indicator: Optional[torch.Tensor] = None,
        parse_decoder: str = "mst",
        details: bool = False,
        probabilities: bool = False,
        min_probability: Optional[float] = None,
        **gold: Any,
    ) -> List[Sentence]:
        """
        # Parameters

        tokens, metadata, injected_head_indices, given_predicates, predicate_indicator :
            As for `forward`.
        parse_decoder : `str`, optional (default = `"mst"`)
            As in the constructor.
        details : `bool`, optional (default = `False`)
            Whether to fill the sentences' `arc_scores` and `attention`.
        probabilities : `bool`, optional (default = `False`)
            Whether to fill the probabilities of tags, heads, frames and spans.
        min_probability : `float`, optional (default = that of `confidence`)
            As for `Confidence`.
        **gold
            Ignored.

        # Returns

        `List[Sentence]`
        """
        mask = get_text_field_mask(tokens)
        encoded = self._encode(tokens, mask, predicate_indicator, injected_head_indices)
        heads = self._choose_heads(encoded, mask, injected_head_indices, parse_decoder)
        scores = self._score(encoded, heads)
        given = given_predicates if predicate_indicator is None else predicate_indicator
        prediction = self._predict(
            encoded, scores, heads, mask, given, parse_decoder, probabilities, min_probability
        )
        sources = [item["sentence"] for item in metadata]
        prediction = self._with_senses(prediction, encoded, sources)
        if details and encoded.parse is not None:
            arc_scores = encoded.parse.arc_scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
            attention = _attention(arc_scores, injected_head_indices)
            prediction = prediction._replace(arc_scores=arc_scores, attention=attention)
        return self._names.label(sources, prediction)

    @torch.no_grad()
    def predict_pos(
        self,
        tokens: TextFieldTensors,
        metadata: List[Dict[str, Any]],
        predicate_indicator: Optional[torch.Tensor] = None,
    ) -> List[List[str]]:
        """
        Predicts parts of speech alone, for a parser that reads them. They are those of `label`: the
        layers that they are read from are below the syntactic head.

        # Parameters

        tokens, metadata, predicate_indicator :
            As for `forward`.

        # Returns

        `List[List[str]]`
            The tags of each sentence.
        """
        mask = get_text_field_mask(tokens)
        embedded = self._embed(tokens, predicate_indicator)
        with self._precision(embedded.device, mask.numel()):
            states, layout = self._encoder.encode_predicate_layer(embedded, mask)
            joint_logits = self._joint_tagger(states).float()
        pos, _ = self._joint_tagger.marginalise(layout.unpack(joint_logits))
        return [
            [self._names.pos[tag] for tag in row[: len(item["sentence"].words)]]
            for row, item in zip(pos.tolist(), metadata, strict=True)
        ]

    def _embed(
        self, tokens: TextFieldTensors, predicate_indicator: Optional[torch.Tensor]
    ) -> torch.Tensor:
        embedded = self._text_field_embedder(tokens)
        return append_indicator(embedded, predicate_indicator, self._indicator_embedding)

    def _encode(
        self,
        tokens: TextFieldTensors,
        mask: torch.BoolTensor,
        predicate_indicator: Optional[torch.Tensor],
        head_indices: Optional[torch.Tensor],
    ) -> EncodedSentences:
        embedded = self._embed(tokens, predicate_indicator)
        with self._precision(embedded.device, mask.numel()):
            return self._encoder.encode(embedded, mask, head_indices)

    def _choose_heads(
        self,
        encoded: EncodedSentences,
        mask: torch.Tensor,
        head_indices: Optional[torch.Tensor],
        parse_decoder: str,
    ) -> Optional[torch.Tensor]:
        """The heads whose arcs get labels: gold in training, else injected or decoded heads."""
        if encoded.parse is None:
            return None
        if self.training:
            assert head_indices is not None
            return head_indices.clamp(min=0)
        heads = decode_heads(encoded.parse.arc_scores, mask, parse_decoder)
        if head_indices is not None:
            heads = torch.where(head_indices >= 0, head_indices, heads)
        return heads

    def _score(
        self,
        encoded: EncodedSentences,
        heads: Optional[torch.Tensor],
        frames: Optional[Dict[str, torch.Tensor]] = None,
    ) -> TaskScores:
        """The scores of each task; role logits only for given gold frames."""
        layout = encoded.layout
        with self._precision(encoded.states.device, layout.num_places):
            joint_logits = self._joint_tagger(encoded.predicate_states).float()
        scores = TaskScores(layout.unpack(joint_logits))
        if encoded.parse is not None and heads is not None:
            head_tag_logits = self._score_head_tags(encoded, heads)
            scores = scores._replace(
                arc_scores=encoded.parse.arc_scores, head_tag_logits=head_tag_logits
            )
        if frames is not None:
            indices = frames["sentence_indices"], frames["predicate_indices"]
            scores = scores._replace(role_logits=self._score_roles(encoded, *indices))
        return scores

    def _score_head_tags(self, encoded: EncodedSentences, heads: torch.Tensor) -> torch.Tensor:
        """Label logits of shape `(batch_size, length, num_head_tags)` for the given heads."""
        assert self._head_tagger is not None and encoded.parse is not None
        with self._precision(heads.device, encoded.layout.num_places):
            return self._head_tagger(encoded.parse, heads, encoded.layout)

    def _score_roles(
        self,
        encoded: EncodedSentences,
        sentence_indices: torch.Tensor,
        predicate_indices: torch.Tensor,
    ) -> torch.Tensor:
        """Role logits of shape `(num_frames, length, num_roles)`."""
        states, layout = encoded.states, encoded.layout
        with self._precision(states.device, layout.num_places):
            return self._role_scorer(states, layout, sentence_indices, predicate_indices).float()

    def _score_senses(
        self,
        encoded: EncodedSentences,
        sources: Sequence[Sentence],
        pos: torch.Tensor,
        sentence_indices: torch.Tensor,
        predicate_indices: torch.Tensor,
    ) -> SenseScores:
        """The scores of the rolesets that each predicate may have."""
        assert self._sense_tagger is not None
        states, layout = encoded.states, encoded.layout
        indices = sentence_indices, predicate_indices
        candidates = self._names.senses.candidates(*self._names.predicates(sources, pos, *indices))
        rows = layout.rows(*indices)
        return self._sense_tagger(states.index_select(0, rows), candidates.to(states.device))

    def _with_senses(
        self, prediction: BatchPrediction, encoded: EncodedSentences, sources: Sequence[Sentence]
    ) -> BatchPrediction:
        """The prediction with rolesets, if the model has a `sense_tagger`."""
        if self._sense_tagger is None:
            return prediction
        indices = prediction.sentence_indices, prediction.predicate_indices
        scores = self._score_senses(encoded, sources, prediction.pos, *indices)
        return prediction._replace(senses=scores.best())

    def _predict(
        self,
        encoded: EncodedSentences,
        scores: TaskScores,
        heads: Optional[torch.Tensor],
        mask: torch.Tensor,
        given_predicates: Optional[torch.Tensor],
        parse_decoder: str,
        probabilities: bool = False,
        min_probability: Optional[float] = None,
    ) -> BatchPrediction:
        pos, predicate_probabilities = self._joint_tagger.marginalise(scores.joint_logits)
        sentence_indices, predicate_indices = find_predicates(
            predicate_probabilities, self._predicate_threshold, mask, given_predicates
        )
        role_logits = self._score_roles(encoded, sentence_indices, predicate_indices)
        roles = self._role_decoder(role_logits, mask[sentence_indices], predicate_indices)
        head_tags = None
        if heads is not None and scores.head_tag_logits is not None:
            root_label = self._names.root_label if parse_decoder == "mst" else None
            head_tags = decode_head_tags(scores.head_tag_logits, heads, root_label)
        prediction = BatchPrediction(
            pos=pos,
            predicate_probabilities=predicate_probabilities,
            sentence_indices=sentence_indices,
            predicate_indices=predicate_indices,
            roles=roles,
            head_indices=heads,
            head_tags=head_tags,
        )
        scores = scores._replace(role_logits=role_logits)
        return self._with_confidence(
            prediction, scores, mask, parse_decoder, probabilities, min_probability
        )

    def _with_confidence(
        self,
        prediction: BatchPrediction,
        scores: TaskScores,
        mask: torch.Tensor,
        parse_decoder: str,
        probabilities: bool,
        min_probability: Optional[float],
    ) -> BatchPrediction:
        """Adds the probabilities that are requested or compared with `min_probability`."""
        if min_probability is None:
            min_probability = self._confidence.min_probability
        if not probabilities and not min_probability:
            return prediction
        assert scores.role_logits is not None
        spans = self._role_decoder.span_probabilities(
            scores.role_logits,
            prediction.roles,
            mask[prediction.sentence_indices],
            prediction.predicate_indices,
            self._confidence.role_temperature,
        )
        if min_probability:
            prediction = prediction._replace(is_improbable=spans < min_probability)
        if not probabilities:
            return prediction
        arcs, heads, head_tags = None, prediction.head_indices, prediction.head_tags
        if heads is not None and head_tags is not None:
            assert scores.arc_scores is not None and scores.head_tag_logits is not None
            arcs = arc_probabilities(
                scores.arc_scores,
                scores.head_tag_logits,
                mask,
                heads,
                head_tags,
                self._names.root_label if parse_decoder == "mst" else None,
                self._confidence.arc_temperature,
            )
        pos = self._joint_tagger.pos_probabilities(scores.joint_logits)
        frames = prediction.sentence_indices, prediction.predicate_indices
        predicates = prediction.predicate_probabilities[frames]
        return prediction._replace(probabilities=Probabilities(pos, arcs, predicates, spans))

    def _best_trees(
        self,
        encoded: EncodedSentences,
        mask: torch.Tensor,
        injected_head_indices: Optional[torch.Tensor],
        prediction: BatchPrediction,
    ) -> BatchPrediction:
        """The prediction with its heads replaced by those of the best trees."""
        heads = self._choose_heads(encoded, mask, injected_head_indices, "mst")
        assert heads is not None
        logits = self._score_head_tags(encoded, heads)
        head_tags = decode_head_tags(logits, heads, self._names.root_label)
        return prediction._replace(head_indices=heads, head_tags=head_tags)

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """
        The mean weighted loss per token of each task; outside training also the scores, from 0 to
        100, of every task with gold annotation.
        """
        metrics = self._loss.get_metrics(reset)
        if self.training:
            return metrics
        for metric in self._metrics:
            metrics.update(metric.get_metric(reset))
        if self._mst_score is not None:
            of_trees = self._mst_score.get_metric(reset)
            metrics.update({f"mst_{name}": score for name, score in of_trees.items()})
        return metrics

    def vocabulary_axes(self) -> VocabularyAxes:
        """As in `SentenceModel`, with all layers that score labels."""
        axes = super().vocabulary_axes()
        axes.update(rows(self, "_joint_tagger._projection", "joint_tags"))
        axes.update(rows(self, "_role_scorer._bilinear", "role_labels"))
        if self._head_tagger is not None:
            axes.update(rows(self, "_head_tagger", "head_tags"))
        if self._sense_tagger is not None:
            axes.update(rows(self, "_sense_tagger", "sense_labels"))
        for name, weight in self._role_decoder.named_parameters():
            # Scores of labels, or of pairs of labels.
            axes[f"_role_decoder.{name}"] = ("role_labels",) * weight.dim()
        return axes

    @property
    def predicts_parse(self) -> bool:
        """Whether the model predicts a parse: LISA does, SA does not."""
        return self._head_tagger is not None

    @property
    def predicts_senses(self) -> bool:
        """Whether the model predicts the roleset of each predicate."""
        return self._sense_tagger is not None

    @property
    def needs_predicates(self) -> bool:
        """Whether each instance has to name its predicate, which the model does not predict."""
        return self._indicator_embedding is not None


def _attention(
    arc_scores: torch.Tensor, injected_head_indices: Optional[torch.Tensor]
) -> torch.Tensor:
    """The weights of the syntactic head (section 2.2): predicted, or one-hot for injected heads."""
    attention = arc_scores.softmax(-1)
    if injected_head_indices is None:
        return attention
    given = injected_head_indices.unsqueeze(-1)
    one_hot = torch.zeros_like(attention).scatter_(-1, given.clamp(min=0), 1.0)
    return torch.where(given >= 0, one_hot, attention)


def _construct_sense_tagger(
    sense_tagger: Lazy[SenseTagger], input_dim: int, num_senses: int
) -> SenseTagger:
    if not num_senses:
        raise ConfigurationError(
            "sense_tagger: found no roleset in the vocabulary; expected training data with senses "
            "and a reader with the option `senses`"
        )
    return sense_tagger.construct(input_dim=input_dim, num_senses=num_senses)


def _construct_encoder(
    encoder: Lazy[Seq2SeqEncoder], input_dim: int
) -> SyntacticallyInformedSelfAttention:
    constructed = encoder.construct(input_dim=input_dim)
    if not isinstance(constructed, SyntacticallyInformedSelfAttention):
        raise ConfigurationError(
            f"the encoder is a {type(constructed).__name__}; expected a "
            "syntactically_informed_self_attention"
        )
    return constructed
