"""Decodes the scores of a batch into labelled sentences."""

import dataclasses
from functools import partial
from typing import Callable, Iterator, List, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.data.languages import find_morphology
from lisa_allennlp.data.sentence import Frame, GivenFrame, Parse, Sentence
from lisa_allennlp.decoding.adaptation import adapt_roles, adapt_senses
from lisa_allennlp.decoding.confidence import Confidence, check_share
from lisa_allennlp.decoding.contexts import (
    PredicateContext,
    RoleContext,
    SenseContext,
    TagContext,
    TopicContext,
    TreeContext,
)
from lisa_allennlp.decoding.frames import (
    Frames,
    FrameStage,
    RoleDecoder,
    choose_senses,
    decode,
    force_given,
    force_verbs,
    keep_given_senses,
    leave_out,
    reported,
    score_senses,
    weigh_spans,
)
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.linear_chain import LOGITS_AT_ONCE
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.particles import force_particles
from lisa_allennlp.decoding.tokens import (
    EncodedBatch,
    Tokens,
    attend_to_trees,
    best_tags,
)
from lisa_allennlp.decoding.trees import (
    arc_probabilities,
    decode_head_tags,
    decode_heads,
    is_token,
    softmax,
    syntactic_attention,
)
from lisa_allennlp.decoding.well_formed import RolesOfRolesets, WellFormedFrames

TokenStage = Callable[[Tokens], Tokens]


class Decoder:
    """
    Decodes the scores of a batch into labelled sentences, in the order of LISA: tags and predicates
    (section 2.3), trees (2.2), roles (2.4), then senses. `token_stages` and `frame_stages` are the
    steps in between, in their order.

    A token is a predicate if its predicate probability is above `predicate_threshold`. With
    `joint_argmax`, probabilities of tags and predicates are 1 for the best joint label and 0 for
    others. With `well_formed_frames`, frames that are not as `WellFormedFrames` wants them are
    decoded again. With a lexicon, frames are well formed, those whose roles or whose V are not what
    the roleset demands are decoded again, and `contexts` help to choose arcs, tags, predicates,
    rolesets and roles.
    """

    def __init__(
        self,
        names: LabelNames,
        role_decoder: RoleDecoder,
        predicate_threshold: float = 0.5,
        confidence: Confidence = Confidence(),  # noqa: B008
        well_formed_frames: bool = False,
        joint_argmax: bool = False,
    ) -> None:
        self.names = names
        self.role_decoder = role_decoder
        self.confidence = confidence
        self._predicate_threshold = check_share("predicate_threshold", predicate_threshold)
        self._joint_argmax = joint_argmax
        # In double precision, so that the sum does not depend on other tokens.
        self._is_predicate = numpy.array(names.is_predicate, float)
        self._morphology = find_morphology(names.pos, names.language)
        pos = numpy.arange(len(names.pos))
        self._to_pos = (numpy.array(names.pos_of_joint)[:, None] == pos).astype(numpy.float32)

        decoding: FrameStage = partial(decode, decoder=role_decoder)
        senses: List[FrameStage] = []
        again: List[FrameStage] = []
        lessons: List[FrameStage] = []
        if well_formed_frames or names.lexicon is not None:
            decoding = partial(WellFormedFrames(names.roles).decode, decoder=role_decoder)
        if len(names.senses):
            senses = [partial(score_senses, temperature=confidence.sense_temperature)]
            if names.lexicon is not None:
                senses += [
                    SenseContext(names.lexicon.senses),
                    TopicContext(names.lexicon.topics, names.senses),
                ]
            senses += [adapt_senses, choose_senses]
            lessons = [partial(adapt_roles, decoder=role_decoder, decoding=decoding)]
        self.token_stages: List[TokenStage] = []
        if names.lexicon is not None:
            rolesets, weights = RolesOfRolesets(names.roles), names.lexicon
            self.token_stages = [
                TagContext(weights.tags),
                TreeContext(weights.arcs, confidence.arc_temperature),
                attend_to_trees,
                PredicateContext(weights.predicates),
            ]
            again = [
                force_particles,
                decoding,
                rolesets.forbid,
                RoleContext(weights.roles, rolesets),
                decoding,
            ]
        self.frame_stages: List[FrameStage] = [
            force_verbs,
            force_given,
            decoding,
            *senses,
            keep_given_senses,
            *again,
            *lessons,
            partial(weigh_spans, decoder=role_decoder, confidence=confidence),
            partial(leave_out, confidence=confidence),
        ]

    def label(
        self,
        encoded: EncodedBatch,
        sources: Sequence[Sentence],
        given_predicates: Optional[numpy.ndarray] = None,
        given_roles: Optional[Sequence[Sequence[GivenFrame]]] = None,
        options: LabelOptions = LabelOptions(),  # noqa: B008
    ) -> List[Sentence]:
        """
        Returns copies of `sources` in which the predictions for B sentences with at most T tokens
        replace the annotation. The heads to which the batch attends are injected: they stay.

        # Parameters

        given_predicates : `numpy.ndarray`, optional
            (B, T): 1 for a predicate, 0 for other tokens, negative where the probability decides.
        given_roles : `Sequence[Sequence[GivenFrame]]`, optional
            What is known of the predicates of each sentence, at most once per predicate. It stays;
            the rest of the roles is what is best, or probable, with it.
        """
        heads = self.heads(encoded, options.parse_decoder)
        root = self._root_label(options)
        parses, logits, arcs = self._label_arcs(encoded, heads, options)
        marginals = self._marginalise(encoded.joint_logits)
        tokens = Tokens(
            self.names, encoded, sources, options, parses, *marginals, logits, root, arcs
        )
        for token_stage in self.token_stages:
            tokens = token_stage(tokens)
        frames: List[List[Frame]] = [[] for _ in sources]
        for part in self._frames(tokens, given_predicates, given_roles or [()] * len(sources)):
            for frame_stage in self.frame_stages:
                part = frame_stage(part)
            for row, frame in part.finished():
                frames[row].append(frame)
        labelled = []
        for row, (source, length) in enumerate(zip(sources, encoded.lengths.tolist(), strict=True)):
            arc_scores = attention = None
            if options.details and encoded.arc_scores is not None:
                arc_scores = encoded.arc_scores[row, :length, :length].copy()
                attended = tokens.encoded.head_indices
                attention = syntactic_attention(
                    arc_scores, None if attended is None else attended[row, :length]
                )
            best_pos = tokens.tags[row, :length].max(-1)
            sentence = dataclasses.replace(
                source,
                pos=tokens.pos[row],
                frames=frames[row],
                parse=tokens.parses[row],
                injected_parse=None,
                morphology=None if parses[row] is None else self._morphology,
                predicate_probabilities=reported(tokens.predicates[row, :length]),
                pos_probabilities=reported(best_pos) if options.probabilities else None,
                head_probabilities=(
                    None if tokens.arcs is None else reported(tokens.arcs[row, :length])
                ),
                arc_scores=arc_scores,
                attention=attention,
            )
            labelled.append(sentence)
        return labelled

    def pos(self, joint_logits: numpy.ndarray, lengths: numpy.ndarray) -> List[List[str]]:
        """The network's tags from (B, T, num_joint_tags) logits, without padding or context."""
        return best_tags(self.names, self._marginalise(joint_logits)[0], lengths)

    def heads(self, encoded: EncodedBatch, parse_decoder: str = "mst") -> Optional[numpy.ndarray]:
        """The injected or decoded heads, (B, T); `None` for SA."""
        if encoded.arc_scores is None:
            return None
        injected = encoded.head_indices
        if injected is None:
            return decode_heads(encoded.arc_scores, encoded.lengths, parse_decoder)
        is_given = injected >= 0
        if (is_given | ~is_token(is_given.shape[1], encoded.lengths)).all():
            return numpy.where(is_given, injected, 0)
        return decode_heads(encoded.arc_scores, encoded.lengths, parse_decoder, injected)

    def parses(self, encoded: EncodedBatch, parse_decoder: str = "mst") -> List[Optional[Parse]]:
        """The parses of `label`, without contexts."""
        heads = self.heads(encoded, parse_decoder)
        return self._label_arcs(encoded, heads, LabelOptions(parse_decoder))[0]

    def _marginalise(self, joint_logits: numpy.ndarray) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """The probabilities of tags, (B, T, num_tags), and of being a predicate, (B, T)."""
        joint = softmax(joint_logits)
        if self._joint_argmax:
            joint = numpy.eye(joint.shape[-1], dtype=joint.dtype)[joint.argmax(-1)]
        return joint @ self._to_pos, (joint @ self._is_predicate).astype(joint.dtype)

    def _frames(
        self,
        tokens: Tokens,
        given_predicates: Optional[numpy.ndarray],
        given_roles: Sequence[Sequence[GivenFrame]],
    ) -> Iterator[Frames]:
        is_predicate = tokens.predicates > self._predicate_threshold
        if given_predicates is not None:
            is_predicate = numpy.where(given_predicates < 0, is_predicate, given_predicates > 0)
        known = {(row, f["index"]): f for row, given in enumerate(given_roles) for f in given}
        for place in known:
            is_predicate[place] = True
        is_predicate &= is_token(is_predicate.shape[1], tokens.encoded.lengths)
        places = numpy.argwhere(is_predicate)
        size = 1 + LOGITS_AT_ONCE // (1 + is_predicate.shape[1] * len(self.names.roles))
        for start in range(0, len(places), size):
            part = places[start : start + size]
            of_part = [known.get((row, token), {}) for row, token in part.tolist()]
            yield Frames.begin(tokens, part[:, 0], part[:, 1], of_part)

    def _root_label(self, options: LabelOptions) -> Optional[int]:
        """The label that roots, and only they, have; `None` if any arc may have any label."""
        return self.names.root_label if options.parse_decoder == "mst" else None

    def _label_arcs(
        self,
        encoded: EncodedBatch,
        heads: Optional[numpy.ndarray],
        options: LabelOptions,
    ) -> Tuple[List[Optional[Parse]], Optional[numpy.ndarray], Optional[numpy.ndarray]]:
        """
        The parses with these heads, the scores of the labels of their arcs, (B, T, num_head_tags),
        and, on request, the probabilities of the arcs, (B, T).
        """
        if heads is None or encoded.arc_scores is None:
            return [None] * len(encoded.lengths), None, None
        root_label = self._root_label(options)
        logits = encoded.score_head_tags(heads)
        tags = decode_head_tags(logits, heads, root_label)
        arcs = None
        if options.probabilities:
            arcs = arc_probabilities(
                encoded.arc_scores,
                logits,
                encoded.lengths,
                heads,
                tags,
                root_label,
                self.confidence.arc_temperature,
            )
        parses = make_parses(encoded.lengths, heads, tags, self.names.head_tags)
        return list(parses), logits, arcs


def make_parses(
    lengths: numpy.ndarray, heads: numpy.ndarray, head_tags: numpy.ndarray, names: Sequence[str]
) -> Iterator[Parse]:
    """
    The parses of a batch, from the (B,) numbers of tokens, the (B, T) 0-based heads and indices of
    labels, and the labels' names.
    """
    for length, own_heads, own_tags in zip(lengths, heads, head_tags, strict=True):
        tags = [names[tag] for tag in own_tags[:length].tolist()]
        yield Parse(own_heads[:length].tolist(), tags)
