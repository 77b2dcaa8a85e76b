"""Decodes the scores of a batch into labelled sentences."""

import dataclasses
from typing import Iterator, List, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.decoding.adaptation import adapt_roles, adapt_senses
from lisa_allennlp.decoding.confidence import Confidence, check_share
from lisa_allennlp.decoding.contexts import RoleContext, add_sense_context
from lisa_allennlp.decoding.engine import EncodedBatch
from lisa_allennlp.decoding.frames import (
    Frames,
    RoleDecoder,
    Tokens,
    choose_senses,
    constrain,
    leave_out,
    reported,
    score_senses,
    weigh_events,
)
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.linear_chain import LOGITS_AT_ONCE, span_marginals
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.trees import (
    arc_probabilities,
    decode_head_tags,
    decode_heads,
    is_token,
    softmax,
    syntactic_attention,
)
from lisa_allennlp.decoding.well_formed import WellFormedFrames
from lisa_allennlp.english.languages import find_morphology
from lisa_allennlp.sentence.sentence import Frame, GivenFrame, Parse, Sentence


class Decoder:
    """
    Decodes the scores of a batch into labelled sentences, in the order of LISA: tags and predicates
    (section 2.3), trees (2.2), roles (2.4), then senses.

    A token is a predicate if its predicate probability is above `predicate_threshold`. With
    `joint_argmax`, probabilities of tags and predicates are 1 for the best joint label and 0 for
    others. With `well_formed_frames` or a lexicon, frames that are not as `WellFormedFrames` wants
    them are decoded again; with a lexicon also those in which `contexts` prefer another role.
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
        self._well_formed: Optional[WellFormedFrames] = None
        if well_formed_frames or names.lexicon is not None:
            self._well_formed = WellFormedFrames(names.roles)
        if names.lexicon is not None:
            self._role_context = RoleContext(names.roles)

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
            Fixed senses and spans of each sentence, at most one entry per predicate. The decoder
            keeps them and fills in the other roles.
        """
        tags, predicates = self._marginalise(encoded.joint_logits)
        parses, arcs = self._decode_trees(encoded, options)
        pos = self._best_tags(tags, encoded.lengths)
        shares = tags.max(-1), predicates, arcs
        tokens = Tokens(self.names, encoded, sources, options, pos, parses, *shares)
        frames: List[List[Frame]] = [[] for _ in sources]
        for part in self._frames(tokens, given_predicates, given_roles or [()] * len(sources)):
            self._decode_frames(part)
            for row, frame in part.finished():
                frames[row].append(frame)
        return [self._labelled(tokens, row, own) for row, own in enumerate(frames)]

    def _decode_frames(self, frames: Frames) -> None:
        options, has_lexicon = frames.tokens.options, self.names.lexicon is not None
        constrain(frames)
        self._decode_roles(frames, numpy.ones(len(frames), bool))
        if len(self.names.senses):
            score_senses(frames, self.confidence.sense_temperature)
            if has_lexicon:
                add_sense_context(frames)
            if options.adaptation is not None:
                adapt_senses(frames, options.adaptation)
        choose_senses(frames)
        if has_lexicon:
            self._decode_roles(frames, self._role_context.add(frames))
        if options.adaptation is not None:
            is_changed = adapt_roles(frames, options.adaptation, self.role_decoder)
            self._decode_roles(frames, is_changed)
        weigh_events(frames, self.confidence.factuality_temperature)
        limits = self.confidence.limits(options.min_probability)
        if options.probabilities or any(limits):
            frames.span_probabilities = span_marginals(
                frames.logits,
                frames.labels,
                frames.lengths,
                self.role_decoder.chain(),
                self.names.role_constraints.continuing,
                self.confidence.role_temperature,
            )
            leave_out(frames, *limits)

    def _decode_roles(self, frames: Frames, is_changed: numpy.ndarray) -> None:
        if is_changed.any():
            rows = slice(None) if is_changed.all() else is_changed
            logits, lengths = frames.logits[rows], frames.lengths[rows]
            labels = self.role_decoder.decode(logits, lengths)
            if self._well_formed is not None:
                rest = lengths, frames.is_given[rows], self.role_decoder
                self._well_formed.repair_labels(logits, labels, *rest)
            frames.labels[rows] = labels

    def _labelled(self, tokens: Tokens, row: int, frames: List[Frame]) -> Sentence:
        encoded, options, parse = tokens.encoded, tokens.options, tokens.parses[row]
        own = row, slice(int(encoded.lengths[row]))
        arc_scores = attention = None
        if options.details and encoded.arc_scores is not None:
            arc_scores = encoded.arc_scores[(*own, own[1])].copy()
            injected = encoded.head_indices
            attention = syntactic_attention(arc_scores, None if injected is None else injected[own])
        return dataclasses.replace(
            tokens.sources[row],
            pos=tokens.pos[row],
            frames=frames,
            parse=parse,
            injected_parse=None,
            morphology=None if parse is None else self._morphology,
            predicate_probabilities=reported(tokens.predicates[own]),
            pos_probabilities=reported(tokens.tags[own]) if options.probabilities else None,
            head_probabilities=None if tokens.arcs is None else reported(tokens.arcs[own]),
            arc_scores=arc_scores,
            attention=attention,
        )

    def pos(self, joint_logits: numpy.ndarray, lengths: numpy.ndarray) -> List[List[str]]:
        """The tags from (B, T, num_joint_tags) logits, without padding."""
        return self._best_tags(self._marginalise(joint_logits)[0], lengths)

    def heads(self, encoded: EncodedBatch, parse_decoder: str = "mst") -> Optional[numpy.ndarray]:
        """The injected or decoded heads, (B, T), 0-based; `None` for SA."""
        if encoded.arc_scores is None:
            return None
        scores, injected = encoded.arc_scores, encoded.head_indices
        return decode_heads(scores, encoded.lengths, parse_decoder, injected)

    def parses(self, encoded: EncodedBatch, parse_decoder: str = "mst") -> List[Optional[Parse]]:
        return self._decode_trees(encoded, LabelOptions(parse_decoder))[0]

    def _marginalise(self, joint_logits: numpy.ndarray) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """The probabilities of tags, (B, T, num_tags), and of being a predicate, (B, T)."""
        joint = softmax(joint_logits)
        if self._joint_argmax:
            joint = numpy.eye(joint.shape[-1], dtype=joint.dtype)[joint.argmax(-1)]
        return joint @ self._to_pos, (joint @ self._is_predicate).astype(joint.dtype)

    def _best_tags(self, tags: numpy.ndarray, lengths: numpy.ndarray) -> List[List[str]]:
        rows = zip(tags.argmax(-1).tolist(), lengths.tolist(), strict=True)
        return [[self.names.pos[tag] for tag in row[:length]] for row, length in rows]

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

    def _decode_trees(
        self, encoded: EncodedBatch, options: LabelOptions
    ) -> Tuple[List[Optional[Parse]], Optional[numpy.ndarray]]:
        heads = self.heads(encoded, options.parse_decoder)
        if heads is None or encoded.arc_scores is None:
            return [None] * len(encoded.lengths), None
        # In trees, roots and only they have this label; if it is `None`, any arc may have any.
        root_label = self.names.root_label if options.parse_decoder == "mst" else None
        logits = encoded.score_head_tags(heads)
        tags = decode_head_tags(logits, heads, root_label)
        parses = make_parses(encoded.lengths, heads, tags, self.names.head_tags)
        if not options.probabilities:
            return [*parses], None
        rest = heads, tags, root_label, self.confidence.arc_temperature
        arcs = arc_probabilities(encoded.arc_scores, logits, encoded.lengths, *rest)
        return [*parses], arcs


def make_parses(
    lengths: numpy.ndarray, heads: numpy.ndarray, head_tags: numpy.ndarray, names: Sequence[str]
) -> Iterator[Parse]:
    """Makes the parses of a batch from (B,) lengths, and (B, T) 0-based heads and label indices."""
    for length, own_heads, own_tags in zip(lengths, heads, head_tags, strict=True):
        tags = [names[tag] for tag in own_tags[:length].tolist()]
        yield Parse(own_heads[:length].tolist(), tags)
