"""Finds the events of a sentence: its frames without auxiliaries, in terms of what they say."""

import re
from dataclasses import replace
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.english.auxiliaries import is_auxiliary
from lisa_allennlp.english.events import verbs
from lisa_allennlp.english.events.clauses import Clauses
from lisa_allennlp.sentence.event import (
    ACCUSED,
    APART,
    ASSERTED,
    ATTRIBUTED,
    ATTRIBUTES,
    DENIED,
    LIGHT_VERB,
    Event,
    Filler,
)
from lisa_allennlp.sentence.roles import (
    CONTINUATION,
    REFERENCE,
    UNKNOWN,
    VERB,
    is_core,
    lemma_of_roleset,
)
from lisa_allennlp.sentence.sentence import Frame, RoleSpan, Sentence
from lisa_allennlp.text.propbank_frames import Roleset

CLUSTERS = "clusters"
"""The key of coreference: for each entity, the `[start, end]` of its mentions in the text."""

_LIGHT = ".LV"
_COPULAS = ("be.01", "be.02")
_RELATIVES = ("WP", "WDT", "WP$", "WRB")
_NOMINAL = ("NN", "PRP", "CD", "DT", "WP", "JJ")
_IN_NAME = ("compound", "flat", "amod", "nn")
_ARTICLE = re.compile("^(?:the|an?) ", re.IGNORECASE)


def find_events(sentence: Sentence) -> List[Event]:
    """
    Finds the events of an English sentence with tags, a tree and frames: a frame per predicate that
    means something. An auxiliary or modal is part of its verb's event, a light verb of its noun's,
    and a copula of its complement's, if that is a predicate.

    Clusters of coreference, as `clusters` in the sentence's `extra`, have a list of `[start, end]`
    for each entity, in characters of the raw text. A pronoun then refers to the first mention of
    its entity that is none.

    # Raises

    `ConfigurationError`
        If the sentence has frames, but no tags or no tree.
    """
    if not sentence.frames:
        return []
    if sentence.parse is None or sentence.pos is None:
        raise ConfigurationError(
            "events: found a sentence without a tree or without tags; expected both, as a model "
            "that parses predicts them"
        )
    return _Finder(replace(sentence, parse=sentence.parse.without_cycles)).events()


class _Finder:
    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        assert sentence.frames is not None and sentence.parse is not None
        self._frames = {frame.predicate: frame for frame in sentence.frames}
        self._parse = sentence.parse
        self._clauses = Clauses(sentence)
        self._referents = _referents(sentence)

    def events(self) -> List[Event]:
        found = [self._event(frame) for frame in self._frames.values() if self._is_event(frame)]
        return sorted(found, key=lambda event: event.predicate)

    def _is_event(self, frame: Frame) -> bool:
        token, clauses = frame.predicate, self._clauses
        if is_auxiliary(self._sentence, frame):
            return False
        if frame.sense.endswith(_LIGHT):
            return self._noun_of(frame) is None
        if frame.sense in _COPULAS and clauses.relations[token] == "cop":
            return clauses.heads[token] not in self._frames
        # `able to fix`: the event is `fix`.
        return not (clauses.is_ability(token) and clauses.children(token, "xcomp"))

    def _noun_of(self, light: Frame) -> Optional[Frame]:
        return next(
            (
                frame
                for frame in self._frames.values()
                for span in frame.roles
                if span.role == LIGHT_VERB and span.first <= light.predicate <= span.last
            ),
            None,
        )

    def _clause_of(self, frame: Frame) -> int:
        """The token with the auxiliaries: the event's light verb or its copula's complement."""
        if LIGHT_VERB in frame:
            return frame[LIGHT_VERB].first
        token = frame.predicate
        return self._clauses.heads[token] if self._clauses.relations[token] == "cop" else token

    def _event(self, frame: Frame) -> Event:
        clauses, token, clause = self._clauses, frame.predicate, self._clause_of(frame)
        is_verbal = clauses.tags[clause].startswith(("VB", "MD")) or bool(
            clauses.children(clause, "cop")
        )
        truth = clauses.truth(clause)
        roleset = verbs.roleset_of(frame.sense)
        fillers = self._fillers(frame, clause, roleset)
        source = self._source(clause)
        label = truth.label
        if not is_verbal:
            # What a noun phrase says is taken for granted, whoever speaks.
            source = None
            if label == ATTRIBUTED:
                label = ASSERTED if truth.holds else DENIED
        elif label in (ATTRIBUTED, ACCUSED) and source is None and not clauses.hedge(clause):
            saying = self._frames.get(clauses.heads[clause])
            if saying and "ARG0" in saying:
                source = self._filler("ARG0", [saying["ARG0"]], None)
            if source is None and self._clauses.relations[clause] == "parataxis":
                label = ASSERTED
        negated = clauses.is_negated(clause)
        if label == ATTRIBUTED and not truth.holds and not negated:
            # `He said that he failed to sell it`
            label = DENIED
        return Event(
            token,
            clauses.words[token],
            self._name(frame, clause),
            frame.lemma,
            frame.sense,
            fillers,
            negated,
            clauses.modal(clause),
            clauses.tense(clause) if is_verbal else None,
            clauses.voice(clause) if clause == token else None,
            ATTRIBUTED if label == ASSERTED and source is not None else label,
            frame.happened,
            None if source is None else source.text,
            None if source is None else source.head_lemma,
            None if roleset is None else roleset.gloss,
            {} if roleset is None else roleset.roles,
        )

    def _name(self, frame: Frame, clause: int) -> str:
        if frame.predicate != clause and frame.sense in _COPULAS:
            return f"be {self._clauses.lemmas[clause].lower()}"
        known = frame.lemma if frame.sense == UNKNOWN else lemma_of_roleset(frame.sense)
        if known == UNKNOWN:
            known = self._clauses.lemma(frame.predicate)
        return known.replace("_", " ")

    # Fillers

    def _fillers(self, frame: Frame, clause: int, roleset: Optional[Roleset]) -> List[Filler]:
        groups: Dict[str, List[List[RoleSpan]]] = {}
        references: Dict[str, RoleSpan] = {}
        for span in frame.arguments:
            role = self._checked(span, clause)
            if role in (*ATTRIBUTES, VERB):
                continue
            if role.startswith(REFERENCE):
                references.setdefault(role.removeprefix(REFERENCE), span)
            elif span.role.startswith(CONTINUATION) and role in groups:
                groups[role][-1].append(span)
            else:
                groups.setdefault(role, []).append([span])
        for role, span in references.items():
            # Otherwise the antecedent is there.
            groups.setdefault(role, [[span]])
        functions = {} if roleset is None else roleset.functions
        found = [
            self._filler(role, pieces, functions.get(role))
            for role, all_pieces in groups.items()
            for pieces in all_pieces
        ]
        shared = self._shared_subject(frame, clause, roleset, found)
        return sorted([*found, *shared], key=lambda filler: (filler.first, filler.last))

    def _checked(self, span: RoleSpan, clause: int) -> str:
        """The role of a span, which its kind may refute: by car, the nerve to do it."""
        clauses, role = self._clauses, span.role.removeprefix(CONTINUATION)
        head = self._parse.span_head(span.first, span.last)
        if not is_core(role):
            return role
        is_noun_with_it = clauses.relations[clause] == "acl" and clauses.heads[clause] == head
        if is_noun_with_it and clauses.is_infinitive(clause) and clauses.is_had(head):
            return VERB
        is_that = any(clauses.lower[mark] == "that" for mark in clauses.children(head, "mark"))
        if is_that and any(clauses.lower[c] == "so" for c in clauses.children(clause, "advmod")):
            return VERB
        is_bare = not clauses.children(head, "det", "nmod", "amod")
        is_by = any(clauses.lower[case] == "by" for case in clauses.children(head, "case"))
        return "ARGM-MNR" if is_by and is_bare and clauses.lower[head] in verbs.MEANS else role

    def _filler(self, role: str, pieces: Sequence[RoleSpan], function: Optional[str]) -> Filler:
        first, last = pieces[0].first, pieces[0].last
        head = self._parse.span_head(first, last)
        if is_core(role):
            first, last = self._without_markers(first, last, head)
        return self._made(role, [(first, last), *((p.first, p.last) for p in pieces[1:])], function)

    def _made(
        self,
        role: str,
        pieces: List[Tuple[int, int]],
        function: Optional[str],
        shared: bool = False,
    ) -> Filler:
        clauses = self._clauses
        first, last = pieces[0]
        head = self._thing(self._parse.span_head(first, last), last)
        conjuncts = [head, *self._conjuncts(head, first, last)]
        heads = tuple(map(self._label, conjuncts))
        texts: Tuple[str, ...] = ()
        if len(conjuncts) > 1:
            spans = (self._own_span(token, first, last) for token in conjuncts)
            texts = tuple(self._sentence.span_text(*span) for span in spans)
        referent = self._referent(head, first, last)
        if referent is not None:
            heads = (_ARTICLE.sub("", referent),)
        offsets, places = self._sentence.offsets, None
        if offsets is not None:
            places = tuple((offsets[a][0], offsets[b][1]) for a, b in pieces)
        return Filler(
            role,
            APART.join(self._sentence.span_text(a, b) for a, b in pieces),
            first,
            last,
            head,
            clauses.words[head],
            heads,
            texts,
            places,
            referent,
            function or (role.partition("-")[2] or None),
            shared,
        )

    def _without_markers(self, first: int, last: int, head: int) -> Tuple[int, int]:
        """Drops the prepositions before the head, and a possessive `'s`."""
        clauses = self._clauses
        cases = {
            below
            for token in clauses.children(head, "case")
            for below in self._parse.subtree(token)
        }
        while first < last and first in cases and first < head:
            first += 1
        while first < last and last in cases and last > head:
            last -= 1
        return first, last

    def _thing(self, head: int, last: int) -> int:
        """The content of a span: `phones` in `a lot of phones`."""
        clauses = self._clauses
        if clauses.lower[head] in verbs.TRANSPARENT:
            for child in clauses.children(head, "nmod", "obl"):
                cases = clauses.children(child, "case")
                if head < child <= last and any(clauses.lower[c] == "of" for c in cases):
                    return self._thing(child, last)
        return head

    def _conjuncts(self, head: int, first: int, last: int) -> List[int]:
        clauses = self._clauses
        if not clauses.tags[head].startswith(_NOMINAL):
            return []
        return [
            token
            for token in clauses.children(head, "conj")
            if first <= token <= last and clauses.tags[token].startswith(_NOMINAL)
        ]

    def _own_span(self, token: int, first: int, last: int) -> Tuple[int, int]:
        clauses = self._clauses
        others = {
            below
            for child in clauses.children(token, "conj", "cc", "punct", "case")
            for below in self._parse.subtree(child)
        }
        own = [t for t in self._parse.subtree(token) if t not in others and first <= t <= last]
        return min(own), max(own)

    def _label(self, token: int) -> str:
        """The lemma of a head; a name is whole, with the names before and after it."""
        clauses = self._clauses
        if not clauses.tags[token].startswith("NNP"):
            return clauses.lemmas[token].lower()
        parts = [token]
        for part in parts:
            parts += [
                child
                for child in clauses.children(part, *_IN_NAME)
                if clauses.tags[child].startswith("NNP")
            ]
        return " ".join(clauses.words[part] for part in sorted(set(parts)))

    # What a filler refers to

    def _referent(self, head: int, first: int, last: int) -> Optional[str]:
        clauses = self._clauses
        if clauses.lower[head] not in verbs.PRONOUNS or first != last:
            return None
        if self._sentence.offsets is not None:
            start, end = self._sentence.offsets[head]
            if (start, end) in self._referents:
                return self._referents[start, end]
        if clauses.tags[head] not in _RELATIVES:
            return None
        noun = next(
            (
                clauses.heads[token]
                for token in clauses.ancestors(head)
                if clauses.labels[token] == "acl:relcl"
            ),
            None,
        )
        if noun is None:
            return None
        clause = {
            below
            for child in clauses.parse.children[noun]
            if clauses.labels[child] == "acl:relcl"
            for below in self._parse.subtree(child)
        }
        own = [t for t in self._parse.subtree(noun) if t not in clause and t < head]
        cases = {b for c in clauses.children(noun, "case") for b in self._parse.subtree(c)}
        own = [t for t in own if t not in cases and clauses.relations[t] != "punct"]
        return self._sentence.span_text(min(own), max(own)) if own else None

    def _shared_subject(
        self, frame: Frame, clause: int, roleset: Optional[Roleset], found: List[Filler]
    ) -> Iterator[Filler]:
        """A subject that the frame lacks, and that its clause shares with another one."""
        clauses = self._clauses
        voice = clauses.voice(clause)
        is_modifier = clauses.relations[clause] == "amod" or clauses.children(clause, "cop")
        if roleset is None or voice is None or is_modifier:
            return
        core = [role for role in roleset.roles if role in ("ARG0", "ARG1")]
        if not core:
            return
        role = "ARG1" if voice == "passive" or "ARG0" not in core else "ARG0"
        if role not in core or any(filler.role == role for filler in found):
            return
        subject = clauses.understood_subject(clause)
        if subject is None or clauses.relations[subject].startswith("csubj"):
            return
        if clauses.tags[subject] in _RELATIVES:
            # Its antecedent may have another role already.
            return
        first, last = self._noun_phrase(subject, clause)
        is_taken = any(f.first <= subject <= f.last for f in found)
        if is_taken or first <= clause <= last:
            return
        yield self._made(role, [(first, last)], roleset.functions.get(role), True)

    def _noun_phrase(self, head: int, clause: int) -> Tuple[int, int]:
        """The contiguous tokens below and around a head that do not hold a clause."""
        below = set(self._parse.subtree(head))
        if clause in below:
            below -= set(self._parse.subtree(clause))
        first = last = head
        while first - 1 in below:
            first -= 1
        while last + 1 in below:
            last += 1
        while last > head and self._clauses.relations[last] == "punct":
            last -= 1
        while first < head and self._clauses.relations[first] == "punct":
            first += 1
        return self._without_markers(first, last, head)

    # Who says so

    def _source(self, clause: int) -> Optional[Filler]:
        """The speaker of a clause: the ARG0 of the nearest saying whose ARG1 holds it."""
        holding = [
            (span.last - span.first, frame)
            for frame in self._frames.values()
            if frame.predicate != clause and "ARG0" in frame
            for span in frame.roles
            if span.role.removeprefix(CONTINUATION) == "ARG1"
            and span.first <= clause <= span.last
            and self._states(frame, span)
        ]
        if not holding:
            return self._according_to(clause)
        _, frame = min(holding, key=lambda pair: pair[0])
        return self._filler("ARG0", [frame["ARG0"]], None)

    def _states(self, frame: Frame, span: RoleSpan) -> bool:
        """Whether a frame is of saying or thinking, and the span a clause that it states."""
        clauses, head = self._clauses, self._parse.span_head(span.first, span.last)
        for token in (frame.predicate, *clauses.ancestors(frame.predicate)):
            if token == head:
                break
            if clauses.relations[token] == "acl":
                # `what he told us`
                return False
        is_clause = clauses.tags[head].startswith("VB") or bool(clauses.children(head, "cop"))
        lemma = frame.lemma if frame.lemma != UNKNOWN else clauses.lemma(frame.predicate)
        effect = verbs.effect_of(lemma, clauses.subject(head) is not None)
        return is_clause and effect is not None and effect.open == ATTRIBUTED

    def _according_to(self, clause: int) -> Optional[Filler]:
        clauses = self._clauses
        for token in clauses.children(clause, "obl", "nmod", "advmod"):
            cases = clauses.children(token, "case")
            if any(clauses.lower[case] == "according" for case in cases):
                start = min(self._parse.subtree(token))
                if start > clause and clauses.relations[start - 1] != "punct":
                    # `paid according to the rules`
                    continue
                first, last = self._noun_phrase(token, clause)
                return self._made("ARG0", [(first, last)], None)
        head = clauses.heads[clause]
        shares = clauses.relations[clause] == "conj" and clauses.subject(clause) is None
        return self._according_to(head) if shares and head < clause else None


def _referents(sentence: Sentence) -> Mapping[Tuple[int, int], str]:
    text = sentence.text
    clusters: Any = sentence.extra.get(CLUSTERS)
    if text is None or not clusters:
        return {}
    found: Dict[Tuple[int, int], str] = {}
    for cluster in clusters:
        mentions = [(start, end) for start, end in cluster]
        names = [text[a:b] for a, b in mentions if text[a:b].lower() not in verbs.PRONOUNS]
        if names:
            found.update({mention: names[0] for mention in mentions})
    return found
