"""Decodes the scores of a batch into labelled sentences."""

import dataclasses
from typing import Iterator, List, Optional, Protocol, Sequence, Tuple

import numpy

from lisa_allennlp.data.english import are_english_tags, english_morphology
from lisa_allennlp.data.formats.roles import (
    CONTINUATION,
    REFERENCE,
    bio_to_spans,
    is_core,
    span_labels,
    split_roleset,
    without_arguments,
)
from lisa_allennlp.data.sentence import UNKNOWN, Frame, GivenFrame, Parse, Sentence
from lisa_allennlp.decoding.confidence import Confidence, check_share
from lisa_allennlp.decoding.label_names import NO_CANDIDATE, LabelNames, particles_of
from lisa_allennlp.decoding.linear_chain import FORBIDDEN, LinearChain, span_marginals
from lisa_allennlp.decoding.role_context import RoleContext
from lisa_allennlp.decoding.sense_context import LARGEST_CORRECTION
from lisa_allennlp.decoding.token_context import TokenContext
from lisa_allennlp.decoding.trees import (
    arc_probabilities,
    decode_head_tags,
    decode_heads,
    is_token,
    softmax,
    syntactic_attention,
)
from lisa_allennlp.decoding.well_formed import RolesOfRolesets, WellFormedFrames


class EncodedBatch(Protocol):
    """
    A batch of B sentences with at most T tokens that a network has encoded. All padding is on the
    right. Scores are in single precision, indices are 64-bit integers.
    """

    @property
    def lengths(self) -> numpy.ndarray:
        """(B,), the number of tokens of each sentence."""

    @property
    def joint_logits(self) -> numpy.ndarray:
        """(B, T, num_joint_tags)."""

    @property
    def arc_scores(self) -> Optional[numpy.ndarray]:
        """(B, T, T): `[b, t, q]` of head q of token t. Padding is not masked. `None` for SA."""

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        """Scores the labels of the arcs from (B, T) heads: (B, T, num_head_tags)."""

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        """Scores the roles of F >= 1 predicates: (F,) and (F,) to (F, T, num_roles)."""

    def score_senses(
        self,
        sentence_indices: numpy.ndarray,
        predicate_indices: numpy.ndarray,
        candidates: numpy.ndarray,
    ) -> numpy.ndarray:
        """Scores (F, C) candidate rolesets, negative for padding, of F predicates: (F, C)."""


class RoleDecoder(Protocol):
    """Decodes the roles of frames: a `ChainDecoder`, or a model's own."""

    def decode(self, logits: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
        """The labels of frames, as `ChainDecoder.decode` returns them."""

    def chain(self) -> LinearChain:
        """The chain that gives the probabilities of the roles."""


class Decoder:
    """
    Decodes the scores of a batch into labelled sentences, in the order of LISA: tags and predicates
    (section 2.3), trees (2.2), roles (2.4), then senses.

    A token is a predicate if its predicate probability is above `predicate_threshold`. With
    `well_formed_frames`, frames that are not as `WellFormedFrames` wants them are decoded again.
    With an inventory of rolesets, so are those with a role that their roleset lacks. A
    `role_context` helps to choose the roles of spans, and a `token_context` the tags and the
    predicates.
    """

    def __init__(
        self,
        names: LabelNames,
        role_decoder: RoleDecoder,
        predicate_threshold: float = 0.5,
        confidence: Confidence = Confidence(),  # noqa: B008
        well_formed_frames: bool = False,
        role_context: Optional[RoleContext] = None,
        token_context: Optional[TokenContext] = None,
    ) -> None:
        self._names = names
        self._role_decoder = role_decoder
        self._predicate_threshold = check_share("predicate_threshold", predicate_threshold)
        self._confidence = confidence
        self._well_formed = WellFormedFrames(names.roles) if well_formed_frames else None
        has_inventory = well_formed_frames and names.senses.has_inventory
        self._of_rolesets = RolesOfRolesets(names.roles) if has_inventory else None
        self._role_context = role_context
        self._token_context = token_context
        self._is_core = numpy.array(
            [
                is_core(label[2:].removeprefix(CONTINUATION).removeprefix(REFERENCE))
                for label in names.roles
            ],
            bool,
        )
        self._is_predicate = numpy.array(names.is_predicate, numpy.float32)
        # Other models may be of any language.
        self._morphology = english_morphology if are_english_tags(names.pos) else None
        pos = numpy.arange(len(names.pos))
        self._to_pos = (numpy.array(names.pos_of_joint)[:, None] == pos).astype(numpy.float32)

    def label(
        self,
        encoded: EncodedBatch,
        sources: Sequence[Sentence],
        injected_head_indices: Optional[numpy.ndarray] = None,
        given_predicates: Optional[numpy.ndarray] = None,
        parse_decoder: str = "mst",
        details: bool = False,
        probabilities: bool = False,
        min_probability: Optional[float] = None,
        force_verb: bool = True,
        given_roles: Optional[Sequence[Sequence[GivenFrame]]] = None,
    ) -> List[Sentence]:
        """
        Returns copies of `sources` in which the predictions for B sentences with at most T tokens
        replace the annotation.

        # Parameters

        injected_head_indices : `numpy.ndarray`, optional
            (B, T): the heads of a tree that replaces the decoded one; a root is its own head;
            negative for tokens without an injected head.
        given_predicates : `numpy.ndarray`, optional
            (B, T): 1 for a predicate, 0 for other tokens, negative where the probability decides.
        parse_decoder : `str`, optional (default = `"mst"`)
            `argmax`, the best head of each token, as in the paper; or `mst`, the best tree with a
            single root, where only the arc from the root has the label `root`.
        details : `bool`, optional (default = `False`)
            Whether to fill the sentences' `arc_scores` and `attention`.
        probabilities : `bool`, optional (default = `False`)
            Whether to fill the probabilities of tags, heads, frames and spans.
        min_probability : `float`, optional (default = those of `confidence`)
            Arguments with a lower probability, core ones as well, are left out.
        force_verb : `bool`, optional (default = `True`)
            Whether each frame has one V, which begins at its predicate. If not, V is predicted as
            other roles are, as by the authors' code.
        given_roles : `Sequence[Sequence[GivenFrame]]`, optional
            What is known of the predicates of each sentence, at most once per predicate. It stays;
            the rest of the roles is what is best, or probable, with it.
        """
        confidence = self._confidence
        least = confidence.min_probability, confidence.min_core_probability
        if min_probability is not None:
            least = min_probability, min_probability
        pos_probabilities, predicate_probabilities = self._marginalise(encoded.joint_logits)
        heads = self.heads(encoded, injected_head_indices, parse_decoder)
        parses, arcs = self._label_arcs(encoded, heads, parse_decoder, probabilities)
        if self._token_context is not None:
            both = pos_probabilities, predicate_probabilities
            self._token_context.correct(*both, sources, parses)
        pos = self._pos(pos_probabilities, encoded.lengths)
        frames = self._frames(
            encoded,
            sources,
            pos,
            parses,
            predicate_probabilities,
            given_predicates,
            probabilities,
            numpy.where(self._is_core, least[1], least[0]),
            force_verb,
            given_roles or [()] * len(sources),
        )
        labelled = []
        for row, (source, length) in enumerate(zip(sources, encoded.lengths.tolist(), strict=True)):
            arc_scores = attention = None
            if details and encoded.arc_scores is not None:
                arc_scores = encoded.arc_scores[row, :length, :length].copy()
                given = injected_head_indices
                attention = syntactic_attention(
                    arc_scores, None if given is None else given[row, :length]
                )
            best_pos = pos_probabilities[row, :length].max(-1)
            sentence = dataclasses.replace(
                source,
                pos=pos[row],
                frames=frames[row],
                parse=parses[row],
                injected_parse=None,
                morphology=None if parses[row] is None else self._morphology,
                predicate_probabilities=predicate_probabilities[row, :length].tolist(),
                pos_probabilities=best_pos.tolist() if probabilities else None,
                head_probabilities=None if arcs is None else arcs[row, :length].tolist(),
                arc_scores=arc_scores,
                attention=attention,
            )
            labelled.append(sentence)
        return labelled

    def pos(self, joint_logits: numpy.ndarray, lengths: numpy.ndarray) -> List[List[str]]:
        """The network's tags from (B, T, num_joint_tags) logits, without padding or context."""
        pos_probabilities, _ = self._marginalise(joint_logits)
        return self._pos(pos_probabilities, lengths)

    def heads(
        self,
        encoded: EncodedBatch,
        injected_head_indices: Optional[numpy.ndarray] = None,
        parse_decoder: str = "mst",
    ) -> Optional[numpy.ndarray]:
        """The injected or decoded heads, (B, T), with the parameters of `label`; `None` for SA."""
        if encoded.arc_scores is None:
            return None
        if injected_head_indices is None:
            return decode_heads(encoded.arc_scores, encoded.lengths, parse_decoder)
        is_given = injected_head_indices >= 0
        if (is_given | ~is_token(is_given.shape[1], encoded.lengths)).all():
            return numpy.where(is_given, injected_head_indices, 0)
        heads = decode_heads(encoded.arc_scores, encoded.lengths, parse_decoder)
        return numpy.where(is_given, injected_head_indices, heads)

    def parses(
        self,
        encoded: EncodedBatch,
        injected_head_indices: Optional[numpy.ndarray] = None,
        parse_decoder: str = "mst",
    ) -> List[Optional[Parse]]:
        """The parses of `label`, with the same parameters."""
        heads = self.heads(encoded, injected_head_indices, parse_decoder)
        return self._label_arcs(encoded, heads, parse_decoder, probabilities=False)[0]

    def _marginalise(self, joint_logits: numpy.ndarray) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """The probabilities of tags, (B, T, num_tags), and of being a predicate, (B, T)."""
        joint = softmax(joint_logits)
        return joint @ self._to_pos, joint @ self._is_predicate

    def _pos(self, pos_probabilities: numpy.ndarray, lengths: numpy.ndarray) -> List[List[str]]:
        best = pos_probabilities.argmax(-1)
        return [
            [self._names.pos[tag] for tag in tags[:length].tolist()]
            for tags, length in zip(best, lengths, strict=True)
        ]

    def _frames(
        self,
        encoded: EncodedBatch,
        sources: Sequence[Sentence],
        pos: List[List[str]],
        parses: Sequence[Optional[Parse]],
        predicate_probabilities: numpy.ndarray,
        given_predicates: Optional[numpy.ndarray],
        probabilities: bool,
        least: numpy.ndarray,
        force_verb: bool,
        given_roles: Sequence[Sequence[GivenFrame]],
    ) -> List[List[Frame]]:
        """
        The frames of each sentence, in the order of their predicates. Spans of a label are left out
        if they are less probable than `least`, (num_roles,).
        """
        is_predicate = predicate_probabilities > self._predicate_threshold
        if given_predicates is not None:
            is_predicate = numpy.where(given_predicates < 0, is_predicate, given_predicates > 0)
        known = {(row, f["index"]): f for row, given in enumerate(given_roles) for f in given}
        for place in known:
            is_predicate[place] = True
        is_predicate &= is_token(is_predicate.shape[1], encoded.lengths)
        sentence_indices, predicate_indices = is_predicate.nonzero()
        frames: List[List[Frame]] = [[] for _ in sources]
        if not len(sentence_indices):
            return frames

        indices, lengths = (sentence_indices, predicate_indices), encoded.lengths[sentence_indices]
        constraints = self._names.role_constraints
        logits = encoded.score_roles(*indices)
        if force_verb:
            logits = constraints.with_verb(logits, predicate_indices)
        places = list(zip(sentence_indices.tolist(), predicate_indices.tolist(), strict=True))
        is_given = numpy.zeros(logits.shape[:2], bool)
        if known:
            fixed = self._fixed_labels([known.get(place) for place in places], logits.shape[1])
            logits, is_given = constraints.with_labels(logits, fixed), fixed >= 0
        roles = self._decode_roles(logits, lengths, is_given)
        tags = self._role_tags(roles, lengths)
        given_senses = [known.get(place, {}).get("sense") for place in places]
        senses = self._senses(encoded, sources, pos, parses, indices, tags, given_senses)
        rolesets = [sense for _, sense, _ in senses]
        again: List[int] = []
        if self._of_rolesets is not None:
            again += self._of_rolesets.forbid(logits, roles, rolesets, is_given).tolist()
        if self._role_context is not None:
            around = places, sources, pos, parses, rolesets
            again += self._role_context.correct(logits, roles, lengths, is_given, *around).tolist()
        if again:
            frames_again = numpy.unique(again)
            parts = logits[frames_again], lengths[frames_again], is_given[frames_again]
            roles[frames_again] = self._decode_roles(*parts)
            tags_again = self._role_tags(roles[frames_again], lengths[frames_again])
            for number, own_tags in zip(frames_again.tolist(), tags_again, strict=True):
                tags[number] = own_tags
        spans = None
        is_out = None
        if probabilities or least.any():
            chain, temperature = self._role_decoder.chain(), self._confidence.role_temperature
            spans = span_marginals(
                logits, roles, lengths, chain, constraints.continuing, temperature
            )
            is_out = (spans < least[roles]) & ~is_given
        for number, (row, predicate) in enumerate(places):
            frame_tags = tags[number]
            if is_out is not None and is_out[number].any():
                left = without_arguments(frame_tags, is_out[number])
                # With an argument go its continuations, unless they are given.
                kept = is_given[number, : len(left)].tolist()
                both = zip(frame_tags, left, kept, strict=True)
                frame_tags = [own if stays else tag for own, tag, stays in both]
            lemma, sense, sense_probability = senses[number]
            frame = Frame(predicate, frame_tags, lemma, sense)
            if spans is not None and probabilities:
                frame = dataclasses.replace(
                    frame,
                    probability=float(predicate_probabilities[row, predicate]),
                    sense_probability=sense_probability,
                    span_probabilities=[
                        float(spans[number, s.first]) for s in bio_to_spans(frame_tags)
                    ],
                )
            frames[row].append(frame)
        return frames

    def _decode_roles(
        self, logits: numpy.ndarray, lengths: numpy.ndarray, is_given: numpy.ndarray
    ) -> numpy.ndarray:
        """The labels of frames, (F, T), of which those that are given stay."""
        decode = self._role_decoder.decode
        roles = decode(logits, lengths)
        if self._well_formed is not None:
            chain = self._role_decoder.chain()
            self._well_formed.repair(logits, roles, lengths, decode, chain, is_given)
        return roles

    def _role_tags(self, roles: numpy.ndarray, lengths: numpy.ndarray) -> List[List[str]]:
        return [
            [self._names.roles[role] for role in row[:length]]
            for row, length in zip(roles.tolist(), lengths.tolist(), strict=True)
        ]

    def _fixed_labels(self, frames: Sequence[Optional[GivenFrame]], length: int) -> numpy.ndarray:
        """(F, T): the labels of the tokens in given spans, -1 at the others."""
        fixed = numpy.full((len(frames), length), -1)
        for row, frame in enumerate(frames):
            for span in frame.get("spans", ()) if frame else ():
                labels = map(self._names.roles.index, span_labels(span))
                fixed[row, span.first : span.last + 1] = list(labels)
        return fixed

    def _senses(
        self,
        encoded: EncodedBatch,
        sources: Sequence[Sentence],
        pos: List[List[str]],
        parses: Sequence[Optional[Parse]],
        indices: Tuple[numpy.ndarray, numpy.ndarray],
        roles: Sequence[Sequence[str]],
        given: Sequence[Optional[str]],
    ) -> List[Tuple[str, str, Optional[float]]]:
        """
        The lemma, the roleset and its probability for each predicate, whose frame has these BIO
        roles. A given roleset replaces the predicted one. One that is no candidate has no
        probability.
        """
        if not len(self._names.senses):
            return [(_lemma(sense), sense or UNKNOWN, None) for sense in given]
        words, tags = predicate_words(sources, pos, *indices)
        places = numpy.transpose(indices).tolist()
        particles = [
            particles_of(sources[row].words, predicate, frame_roles, parses[row])
            for (row, predicate), frame_roles in zip(places, roles, strict=True)
        ]
        candidates = self._names.senses.candidates(words, tags, particles)
        scores = encoded.score_senses(*indices, candidates) / self._confidence.sense_temperature
        scores = numpy.where(candidates < 0, numpy.float32(FORBIDDEN), scores)
        context = self._names.senses.context
        if context is not None:
            is_open = scores > scores.max(1, keepdims=True) - LARGEST_CORRECTION
            for frame in (is_open.sum(1) > 1).nonzero()[0].tolist():
                row, predicate = places[frame]
                place = sources[row].words, pos[row], predicate, roles[frame], parses[row]
                own = is_open[frame]
                scores[frame, own] = context.corrected(
                    scores[frame, own], candidates[frame, own], *place
                )
        best = scores.argmax(1)[:, None]
        chosen = numpy.take_along_axis(candidates, best, 1)[:, 0].tolist()
        shares = softmax(scores)
        probabilities = numpy.take_along_axis(shares, best, 1)[:, 0].tolist()
        names = map(self._names.senses.name, chosen, words, tags, particles)
        found = [
            (*name, None if sense == NO_CANDIDATE else probability)
            for name, sense, probability in zip(names, chosen, probabilities, strict=True)
        ]
        for row, sense in enumerate(given):
            if sense is not None:
                own, number = candidates[row].tolist(), self._names.senses.numbers.get(sense)
                share = float(shares[row, own.index(number)]) if number in own else None
                found[row] = _lemma(sense), sense, share
        return found

    def _label_arcs(
        self,
        encoded: EncodedBatch,
        heads: Optional[numpy.ndarray],
        parse_decoder: str,
        probabilities: bool,
    ) -> Tuple[List[Optional[Parse]], Optional[numpy.ndarray]]:
        """The parses with these heads and, on request, the probabilities of their arcs, (B, T)."""
        if heads is None or encoded.arc_scores is None:
            return [None] * len(encoded.lengths), None
        logits = encoded.score_head_tags(heads)
        root_label = self._names.root_label if parse_decoder == "mst" else None
        tags = decode_head_tags(logits, heads, root_label)
        arcs = None
        if probabilities:
            arcs = arc_probabilities(
                encoded.arc_scores,
                logits,
                encoded.lengths,
                heads,
                tags,
                root_label,
                self._confidence.arc_temperature,
            )
        return list(make_parses(encoded.lengths, heads, tags, self._names.head_tags)), arcs


def _lemma(sense: Optional[str]) -> str:
    return UNKNOWN if sense is None else split_roleset(UNKNOWN, sense)[0]


def predicate_words(
    sources: Sequence[Sentence],
    pos: List[List[str]],
    sentence_indices: numpy.ndarray,
    predicate_indices: numpy.ndarray,
) -> Tuple[List[str], List[str]]:
    """
    The words and the parts of speech of predicates, for `SenseNames`, from the (F,) sentences of
    the predicates and their positions there.
    """
    places = list(zip(sentence_indices.tolist(), predicate_indices.tolist(), strict=True))
    words = [sources[row].words[place] for row, place in places]
    return words, [pos[row][place] for row, place in places]


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
