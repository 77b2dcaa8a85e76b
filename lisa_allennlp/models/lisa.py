"""LISA and SA, which predict tags, predicates, a parse and semantic roles in one pass."""

from dataclasses import replace
from functools import cached_property
from typing import Any, Callable, Dict, List, Optional, Sequence

import numpy
import torch
from allennlp.common import FromParams, Lazy
from allennlp.data import DatasetReader, TextFieldTensors, Vocabulary
from allennlp.models.model import Model
from allennlp.modules import Embedding, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.confidence import Confidence
from lisa_allennlp.decoding.decoder import Decoder
from lisa_allennlp.decoding.label_names import LABEL_NAMESPACES, LabelNames
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.role_constraints import ROLE_DECODERS
from lisa_allennlp.decoding.trees import check_parse_decoder
from lisa_allennlp.english.languages import ENGLISH
from lisa_allennlp.models.lisa_loss import GoldLabels, MultiTaskLoss, Scores
from lisa_allennlp.models.network_description import describe_embedders, registered_name
from lisa_allennlp.models.sentence_model import (
    SentenceModel,
    VocabularyAxes,
    label_strings,
    rows,
    to_array,
)
from lisa_allennlp.models_on_disk.network_config import NetworkConfig
from lisa_allennlp.modules.arc_scorers import LabelForm
from lisa_allennlp.modules.dropout import Dropout
from lisa_allennlp.modules.label_scorers import (
    JointTagger,
    RoleScorer,
    SenseTagger,
    score_head_tags,
)
from lisa_allennlp.modules.role_decoders import RoleDecoder
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    EncodedSentences,
    SyntacticallyInformedSelfAttention,
)
from lisa_allennlp.modules.token_embedders import (
    PretrainedTransformerWordsEmbedder,
    make_elmo_stateless,
)
from lisa_allennlp.nn.precision import Precision
from lisa_allennlp.sentence.sentence import GivenFrame, Sentence
from lisa_allennlp.training.metrics import (
    DependencyScore,
    FactualityCorrelation,
    PosAccuracy,
    PredicateScore,
    SenseAccuracy,
    SentenceMetric,
    SrlScore,
)


class ConfigurableConfidence(Confidence, FromParams):
    """A `Confidence` in a config."""


@Model.register("lisa")
class Lisa(SentenceModel):
    """
    Linguistically-Informed Self-Attention (Strubell et al. 2018). Without a syntactic head in the
    encoder it is the paper's syntax-free baseline SA. Training conditions on gold predicates and
    the gold tree (section 2.5). Prediction conditions on predicted predicates and trees, or on an
    injected tree (section 2.2).

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
    joint_tag_dropout : `float`, optional (default = `0.1`)
        Dropout of the states that tags and predicates are predicted from.
    joint_tag_dim : `int`, optional (default = `None`)
        The size of a layer with a leaky ReLU before the classifier of tags and predicates, whose
        logits then pass a leaky ReLU, too: 200 in the authors' code (LISA-v1's `parser.py`, in
        `compute_predicates`).
    variational_dropout : `bool`, optional (default = `False`)
        Whether `role_dropout` and `joint_tag_dropout` drop the same dimensions at all tokens of a
        sentence, as in the authors' code (`noise_shape` in LISA-v1's `nn.py`). The encoder has an
        option of the same name.
    label_smoothing : `float`, optional (default = `0.0`)
        Smoothing of joint tags, arc labels and roles. The authors' code uses 0.1, for roles only.
    average_role_loss : `bool`, optional (default = `False`)
        Whether the loss of the roles is the mean over all labels of all frames, as in the authors'
        code (LISA-v1's `nn.py`, in `output_srl_gather`), instead of equation 7's sum over frames
        per token.
    joint_tag_loss_weight : `float`, optional (default = `1.0`)
        The weight of parts of speech and predicates. The authors' code does not learn them if
        predicates are given.
    arc_loss_weight : `float`, optional (default = `1.0`)
        Lambda 1 of equation 7.
    head_tag_loss_weight : `float`, optional (default = `0.1`)
        Lambda 2 of equation 7.
    predicate_threshold : `float`, optional (default = `0.5`)
        A token is a predicate if its predicate probability is above this threshold.
    joint_argmax : `bool`, optional (default = `False`)
        Whether tag and predicate of a token are those of its best joint label, as in the authors'
        code (LISA-v1's `nn.py`, in `output_predicates`), instead of the best tag and the
        probability of being a predicate, each summed over joint labels.
    parse_decoder : `str`, optional (default = `"argmax"`)
        Decoder of the parses that `forward` scores: `argmax`, the best head of each token, as in
        the paper; or `mst`, the best tree with a single root, where only the arc from the root has
        the label `root`.
    force_verb : `bool`, optional (default = `True`)
        Whether each frame that `forward` labels has one V, which begins at its predicate. The paper
        and the authors' code predict V like other roles. `predict_sentences` always forces it.
    report_mst : `bool`, optional (default = `False`)
        Whether to report the scores of the best trees as well (`mst_uas`, `mst_las`, ...).
    confidence : `Confidence`, optional
        Temperatures of the probabilities, and the least probability of arguments.
    precision : `str`, optional (default = `"float32"`)
        Precision of the matrix products of Hugging Face encoders and of all after the embedder:
        `float32` or `bfloat16`. Scores, losses and decoding are always in single precision.
    predicate_indicator_embedding : `Lazy[Embedding]`, optional (default = `None`)
        Builds a model for the gold-predicate setting (section 4.1, Table 2). Each instance has one
        predicate (the reader's `one_predicate_per_instance`), and the embedding of the predicate
        indicator is appended to each embedded token. A config leaves out `num_embeddings`.
    sense_tagger : `Lazy[SenseTagger]`, optional (default = `None`)
        Predicts the roleset of each predicate from its final state. It needs a reader with the
        option `senses`. A config leaves out `input_dim` and `num_senses`.
    sense_loss_weight : `float`, optional (default = `0.1`)
        The weight of the rolesets in the loss.
    factuality_loss_weight : `float`, optional (default = `None`)
        Whether to learn if the events of words happened, and with which weight. It needs the reader
        `annotated_srl` with the option `factuality`.
    factuality_encoder : `Lazy[Seq2SeqEncoder]`, optional (default = `None`)
        An encoder over the states that tags and predicates are read from. Factuality is read from
        its states; without it, from the final states, which depend on the tree. It needs
        `factuality_loss_weight`; without it, it is not made. A config leaves out `input_dim`.
    lexicon : `str`, optional (default = `None`)
        `english`: PropBank's inventory has rolesets that the training data lacks. Frames are well
        formed, have no role that their roleset lacks, and its particle in V.
    well_formed_frames : `bool`, optional (default = `False`)
        Whether to decode frames again in which a core role is repeated, or `R-X` or `C-X` has no
        `X`, also without a lexicon. The paper does not.
    language : `str`, optional (default = `"en"`)
        The language of the training data, as spaCy's code. Labelling splits raw text by spaCy's
        rules for it, and applies nothing that is known of English alone to another language.
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
        joint_tag_dropout: float = 0.1,
        joint_tag_dim: Optional[int] = None,
        variational_dropout: bool = False,
        label_smoothing: float = 0.0,
        average_role_loss: bool = False,
        joint_tag_loss_weight: float = 1.0,
        arc_loss_weight: float = 1.0,
        head_tag_loss_weight: float = 0.1,
        predicate_threshold: float = 0.5,
        joint_argmax: bool = False,
        parse_decoder: str = "argmax",
        force_verb: bool = True,
        report_mst: bool = False,
        confidence: ConfigurableConfidence = ConfigurableConfidence(),  # noqa: B008
        precision: str = "float32",
        predicate_indicator_embedding: Optional[Lazy[Embedding]] = None,
        sense_tagger: Optional[Lazy[SenseTagger]] = None,
        sense_loss_weight: float = 0.1,
        factuality_loss_weight: Optional[float] = None,
        factuality_encoder: Optional[Lazy[Seq2SeqEncoder]] = None,
        lexicon: Optional[str] = None,
        well_formed_frames: bool = False,
        language: str = ENGLISH,
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
        constructed = encoder.construct(input_dim=input_dim)
        if not isinstance(constructed, SyntacticallyInformedSelfAttention):
            raise ConfigurationError(
                f"the encoder is a {type(constructed).__name__}; expected a "
                "syntactically_informed_self_attention"
            )
        self._encoder = constructed
        namespaces = LABEL_NAMESPACES if sense_tagger is not None else LABEL_NAMESPACES[:3]
        labels = {name: label_strings(vocab, name) for name in namespaces}
        self._names = LabelNames(labels, lexicon, language)
        dim = self._encoder.get_output_dim()
        self._joint_tagger = JointTagger(
            self._encoder.read_dim(self._encoder.sizes.predicate_layer),
            len(self._names.pos_of_joint),
            joint_tag_dropout,
            joint_tag_dim,
            variational_dropout,
        )
        self._head_tagger: Optional[LabelForm] = None
        syntactic_head = self._encoder.syntactic_head
        if syntactic_head is not None:
            self._head_tagger = syntactic_head.make_label_form(len(self._names.head_tags))
        self._role_scorer = RoleScorer(
            dim,
            predicate_dim,
            role_dim,
            len(self._names.roles),
            role_dropout,
            variational_dropout,
        )
        self._role_decoder = role_decoder.construct(constraints=self._names.role_constraints)
        self._sense_tagger: Optional[SenseTagger] = None
        if sense_tagger is not None:
            num_senses = len(self._names.senses)
            if not num_senses:
                raise ConfigurationError(
                    "sense_tagger: found no roleset in the vocabulary; expected training data with "
                    "senses and a reader with the option `senses`"
                )
            self._sense_tagger = sense_tagger.construct(input_dim=dim, num_senses=num_senses)
        self._factuality_weight = factuality_loss_weight
        self._factuality_scorer: Optional[torch.nn.Module] = None
        self._factuality_encoder: Optional[Seq2SeqEncoder] = None
        if factuality_loss_weight is not None:
            if factuality_encoder is not None:
                input_dim = self._encoder.read_dim(self._encoder.sizes.predicate_layer)
                self._factuality_encoder = factuality_encoder.construct(input_dim=input_dim)
                dim = self._factuality_encoder.get_output_dim()
            self._factuality_scorer = torch.nn.Sequential(
                Dropout(role_dropout), torch.nn.Linear(dim, 1)
            )
        self._precision = Precision(precision)
        # Of words and characters, little is multiplied.
        self._has_encoder = any(
            isinstance(module, PretrainedTransformerWordsEmbedder)
            for module in text_field_embedder.modules()
        )
        self._loss = MultiTaskLoss(
            label_smoothing,
            arc_loss_weight,
            head_tag_loss_weight,
            sense_loss_weight,
            joint_tag_loss_weight,
            average_role_loss,
        )
        self._decoder = Decoder(
            self._names,
            self._role_decoder,
            predicate_threshold,
            confidence,
            well_formed_frames,
            joint_argmax,
        )
        self._confidence = confidence
        self._well_formed_frames = well_formed_frames
        self._lexicon = lexicon
        self._predicate_threshold = predicate_threshold
        self._joint_argmax = joint_argmax
        self.evaluation_options = LabelOptions(parse_decoder, force_verb=force_verb)
        """How `forward` labels."""
        self._metrics: List[SentenceMetric] = [SrlScore(), PosAccuracy()]
        if not self.needs_predicates:
            self._metrics.append(PredicateScore())
        if self.predicts_parse:
            self._metrics.append(DependencyScore())
        if self.predicts_senses:
            self._metrics.append(SenseAccuracy())
        self._factuality_r = FactualityCorrelation()
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
        labelled_head_indices: Optional[torch.Tensor] = None,
        **fields: Any,
    ) -> Dict[str, Any]:
        """
        Computes the loss and, outside training, labels and scores the sentences.

        # Parameters

        metadata : `List[Dict[str, Any]]`
            With the `Sentence` of each instance at `sentence`.
        joint_tags, head_indices, head_tags, frames : optional
            As in `GoldLabels`.
        injected_head_indices : `torch.LongTensor`, optional
            Shape `(batch_size, length)`: the heads of a tree that replaces the model's own;
            negative for tokens without an injected head. Ignored in training.
        given_predicates : `torch.LongTensor`, optional
            Shape `(batch_size, length)`: 1 for a predicate, 0 for other tokens, negative where the
            predicate's probability decides. Ignored in training.
        predicate_indicator : `torch.LongTensor`, optional
            Shape `(batch_size, length)`: 1 for the predicate, 0 for other tokens, negative for
            padding. Models with a `predicate_indicator_embedding` (section 4.1) label only its
            frame.
        labelled_head_indices : `torch.LongTensor`, optional
            Shape `(batch_size, length)`: the heads of the arcs that have `head_tags`, of a corpus
            that is annotated in part: there, an arc may have a gold relation without a gold head.
        **fields
            As for `auxiliary_losses`.

        # Returns

        `Dict[str, Any]`
            `loss` in nats per token, if gold labels are given; outside training also the labelled
            `sentences` (`List[Sentence]`).
        """
        sources = [item["sentence"] for item in metadata]
        gold = GoldLabels(joint_tags, head_indices, head_tags, frames)
        if self.training:
            gold.check_complete(self.predicts_parse, self.predicts_senses)
            injected_head_indices = head_indices
        batch = self.encode(tokens, predicate_indicator, injected_head_indices)
        heads = head_indices if labelled_head_indices is None else labelled_head_indices
        if not self.training:
            decoded = self._decoder.heads(batch, self.evaluation_options.parse_decoder)
            heads = None if decoded is None else torch.from_numpy(decoded).to(batch.mask.device)
        scores = self.score(batch, heads, frames, sources)
        auxiliary = self.auxiliary_losses(batch.encoded, gold, **fields)
        loss = self._loss(scores, gold, batch.mask, self._role_decoder, auxiliary)
        output: Dict[str, Any] = {} if loss is None else {"loss": loss}
        if self.training:
            return output

        given = given_predicates if predicate_indicator is None else predicate_indicator
        output["sentences"] = self._decoder.label(
            batch,
            sources,
            to_array(given),
            options=self.evaluation_options,
        )
        for metric in self._metrics:
            metric(output["sentences"], sources)
        if self._mst_score is not None:
            parses = self._decoder.parses(batch, "mst")
            pairs = zip(output["sentences"], parses, strict=True)
            self._mst_score([replace(sentence, parse=parse) for sentence, parse in pairs], sources)
        return output

    def encode(
        self,
        tokens: TextFieldTensors,
        predicate_indicator: Optional[torch.Tensor] = None,
        head_indices: Optional[torch.Tensor] = None,
        only_tags: bool = False,
    ) -> "EncodedTensors":
        """
        Runs the network up to the states that the tasks are read from; with `only_tags`, the layers
        up to `predicate_layer` alone. The other parameters are those of `forward` and of the
        encoder's `encode`.
        """
        mask = get_text_field_mask(tokens)
        embedder = self._text_field_embedder
        embedded = self.run(embedder, mask, tokens) if self._has_encoder else embedder(tokens)
        if (predicate_indicator is not None) != self.needs_predicates:
            raise ConfigurationError(
                "the reader's option one_predicate_per_instance: found "
                f"{predicate_indicator is not None}; expected {self.needs_predicates}, since the "
                f"model has {'a' if self.needs_predicates else 'no'} predicate_indicator_embedding"
            )
        if predicate_indicator is not None and self._indicator_embedding is not None:
            indicator = self._indicator_embedding(predicate_indicator.clamp(min=0))
            embedded = torch.cat([embedded, indicator], dim=-1)
        read = self.run(self._encoder.read, mask, embedded, mask, only_tags)
        return EncodedTensors(self, read, mask, head_indices)

    def score(
        self,
        batch: "EncodedTensors",
        heads: Optional[torch.Tensor],
        frames: Optional[Dict[str, torch.Tensor]],
        sources: Sequence[Sentence],
    ) -> Scores:
        """Arcs are from the given heads."""
        arc_scores = head_tag_logits = role_logits = sense_logits = candidates = None
        if batch.encoded.parse is not None and heads is not None:
            arc_scores = batch.encoded.parse.arc_scores
            head_tag_logits = batch.score_below(self.score_head_tags, heads.clamp(min=0))
        if frames is not None:
            indices = frames["sentence_indices"], frames["predicate_indices"]
            role_logits = batch.score(self._role_scorer, *indices)
            if self.predicts_senses and "senses" in frames:
                pos = self._decoder.pos(batch.joint_logits, batch.lengths)
                places = list(zip(*(index.tolist() for index in indices), strict=True))
                words = [sources[row].words[token] for row, token in places]
                tags = [pos[row][token] for row, token in places]
                candidates = torch.from_numpy(self._names.senses.candidates(words, tags))
                candidates = candidates.to(batch.mask.device)
                sense_logits = batch.score(self._sense_tagger, *indices, candidates)
        return Scores(
            batch.joint_tag_scores,
            arc_scores,
            head_tag_logits,
            role_logits,
            sense_logits,
            candidates,
        )

    def score_head_tags(self, encoded: EncodedSentences, heads: torch.Tensor) -> torch.Tensor:
        assert self._head_tagger is not None
        return score_head_tags(self._head_tagger, encoded, heads)

    def run(self, part: Callable[..., Any], mask: torch.Tensor, *inputs: Any) -> Any:
        with self._precision(mask.device, mask.numel()):
            return part(*inputs)

    def auxiliary_losses(
        self, encoded: EncodedSentences, gold: GoldLabels, **fields: Any
    ) -> Dict[str, torch.Tensor]:
        """
        Returns the losses of further tasks: here factuality, if the model learns it. Subclasses may
        add some. `forward` calls it in training and in validation. `fields` are the tensors of
        fields that only some readers create: `factuality`, `(batch_size, length)`, is from -1 to 1,
        or NaN.

        The losses are scalars in nats, weighted and summed over the batch, for all tasks with gold
        labels. `forward` divides them by the number of tokens, adds them to the loss, and reports
        each as `NAME_loss`.
        """
        factuality = fields.pop("factuality", None) if self.predicts_factuality else None
        if fields:
            raise ConfigurationError(
                f"the reader's instances: found the fields {', '.join(fields)}; expected only "
                f"those that {type(self).__name__} reads (a subclass may read others in "
                "auxiliary_losses)"
            )
        if self._factuality_weight is None or factuality is None:
            return {}
        known = factuality.isfinite()
        logits, values = self.score_factuality(encoded)[known], factuality[known]
        happened = (values.clamp(-1, 1) + 1) / 2
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            logits, happened, reduction="sum"
        )
        if not self.training:
            temperature = self._confidence.factuality_temperature
            self._factuality_r(2 * (logits / temperature).sigmoid() - 1, values)
        return {"factuality": self._factuality_weight * loss}

    def score_factuality(self, encoded: EncodedSentences) -> torch.Tensor:
        """`(batch_size, length)` logits, that the events of words happened."""
        assert self._factuality_scorer is not None
        layout = encoded.layout
        if self._factuality_encoder is None:
            states = layout.unpack(encoded.states.float())
        else:
            inputs = layout.unpack(encoded.predicate_states.float())
            states = self._factuality_encoder(inputs, layout.mask)
        return self._factuality_scorer(states)[..., 0]

    def predict_sentences(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        metadata: List[Dict[str, Any]],
        injected_head_indices: Optional[torch.Tensor] = None,
        given_predicates: Optional[torch.Tensor] = None,
        predicate_indicator: Optional[torch.Tensor] = None,
        given_roles: Optional[Sequence[Sequence[GivenFrame]]] = None,
        options: LabelOptions = LabelOptions(),  # noqa: B008
        **gold: Any,
    ) -> List[Sentence]:
        """
        Labels the sentences without their gold annotation. The parameters are those of `forward`
        and of `Decoder.label`.
        """
        given = given_predicates if predicate_indicator is None else predicate_indicator
        return self._decoder.label(
            self.encode(tokens, predicate_indicator, injected_head_indices),
            [item["sentence"] for item in metadata],
            to_array(given),
            given_roles,
            options,
        )

    @torch.no_grad()
    def predict_pos(
        self,
        tokens: TextFieldTensors,
        metadata: List[Dict[str, Any]],
        predicate_indicator: Optional[torch.Tensor] = None,
    ) -> List[List[str]]:
        """Predicts tags alone, as `label` does: their layers are below the syntactic head."""
        batch = self.encode(tokens, predicate_indicator, only_tags=True)
        return self._decoder.pos(batch.joint_logits, batch.lengths)

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """
        Returns the mean weighted loss per token of each task; outside training also the scores (0
        to 100) of tasks with gold annotation, and `factuality_r` (-1 to 1).
        """
        metrics = self._loss.get_metrics(reset)
        if self.training:
            return metrics
        for metric in (*self._metrics, self._factuality_r):
            metrics.update(metric.get_metric(reset))
        if self._mst_score is not None:
            of_trees = self._mst_score.get_metric(reset)
            metrics.update({f"mst_{name}": score for name, score in of_trees.items()})
        return metrics

    def vocabulary_axes(self) -> VocabularyAxes:
        axes = super().vocabulary_axes()
        axes.update(rows(self, "_joint_tagger._projection", "joint_tags"))
        axes.update(rows(self, "_role_scorer._bilinear", "role_labels"))
        if self._head_tagger is not None:
            axes.update(rows(self, "_head_tagger", "head_tags"))
        if self._sense_tagger is not None:
            axes.update(rows(self, "_sense_tagger._projection", "sense_labels"))
        for name, weight in self._role_decoder.named_parameters():
            # Scores of labels, or of pairs of labels.
            axes[f"_role_decoder.{name}"] = ("role_labels",) * weight.dim()
        return axes

    def describe_network(self, dataset_reader: DatasetReader) -> Optional[NetworkConfig]:
        indexers = getattr(dataset_reader, "_token_indexers", {})
        embedders = describe_embedders(self._text_field_embedder, indexers, self.vocab)
        decoder = registered_name(self._role_decoder, RoleDecoder, ROLE_DECODERS)
        if type(self) is not Lisa or embedders is None or decoder is None:
            return None
        return NetworkConfig(
            embedders,
            self.needs_predicates,
            self.predicts_parse,
            self.predicts_senses,
            {"type": decoder, **self._role_decoder.options},
            self._predicate_threshold,
            vars(self._confidence),
            self._well_formed_frames,
            self._lexicon,
            self.evaluation_options.parse_decoder,
            self.evaluation_options.force_verb,
            self._joint_argmax,
            self.language,
            self.predicts_factuality,
            self.has_factuality_encoder,
        )

    @property
    def pos_tags(self) -> List[str]:
        return self._names.pos

    @property
    def language(self) -> str:
        return self._names.language

    @property
    def role_labels(self) -> List[str]:
        return self._names.roles

    @property
    def predicts_parse(self) -> bool:
        return self._head_tagger is not None

    @property
    def predicts_senses(self) -> bool:
        return self._sense_tagger is not None

    @property
    def predicts_factuality(self) -> bool:
        return self._factuality_scorer is not None

    @property
    def has_factuality_encoder(self) -> bool:
        """Whether factuality has its own encoder, which needs no tree."""
        return self._factuality_encoder is not None

    @property
    def needs_predicates(self) -> bool:
        return self._indicator_embedding is not None


class EncodedTensors:
    """
    A batch that a `Lisa` has encoded: its scores, computed on access in single precision, as
    tensors for the loss and as arrays for decoding (an `EncodedBatch`). `read` is the result of the
    encoder's `read`.
    """

    def __init__(
        self,
        model: Lisa,
        read: EncodedSentences,
        mask: torch.Tensor,
        head_indices: Optional[torch.Tensor] = None,
    ) -> None:
        self.mask = mask
        self._model, self._read, self._heads = model, read, head_indices

    @cached_property
    def encoded(self) -> EncodedSentences:
        inputs = self._read, self.mask, self._heads
        return self._model.run(self._model._encoder.attend, self.mask, *inputs)

    @property
    def head_indices(self) -> Optional[numpy.ndarray]:
        return to_array(self._heads)

    def score(self, head: Any, *inputs: torch.Tensor) -> torch.Tensor:
        return self._model.run(head, self.mask, self.encoded, *inputs).float()

    def score_below(self, head: Any, *inputs: torch.Tensor) -> torch.Tensor:
        return self._model.run(head, self.mask, self._read, *inputs).float()

    @cached_property
    def joint_tag_scores(self) -> torch.Tensor:
        return self.score_below(self._model._joint_tagger)

    @cached_property
    def lengths(self) -> numpy.ndarray:
        return to_array(self.mask.sum(-1))

    @cached_property
    def joint_logits(self) -> numpy.ndarray:
        return to_array(self.joint_tag_scores)

    @cached_property
    def arc_scores(self) -> Optional[numpy.ndarray]:
        parse = self._read.parse
        return None if parse is None else to_array(parse.arc_scores)

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        return self._to_array(self.score_below, self._model.score_head_tags, head_indices)

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        indices = sentence_indices, predicate_indices
        return self._to_array(self.score, self._model._role_scorer, *indices)

    def score_senses(
        self,
        sentence_indices: numpy.ndarray,
        predicate_indices: numpy.ndarray,
        candidates: numpy.ndarray,
    ) -> numpy.ndarray:
        indices = sentence_indices, predicate_indices, candidates
        return self._to_array(self.score, self._model._sense_tagger, *indices)

    @property
    def factuality_logits(self) -> Optional[numpy.ndarray]:
        model = self._model
        return to_array(model.score_factuality(self.encoded)) if model.predicts_factuality else None

    def _to_array(
        self, score: Callable[..., torch.Tensor], scorer: Any, *indices: numpy.ndarray
    ) -> numpy.ndarray:
        tensors = [torch.from_numpy(index).to(self.mask.device) for index in indices]
        return to_array(score(scorer, *tensors))
