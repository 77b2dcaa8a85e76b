"""
The clauses of English trees: subjects, negation, modals, tense, voice, and truth.

Relations are those of Universal Dependencies; `auxpass`, `nsubjpass` and `neg` of Stanford
Dependencies are understood too.
"""

from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Set

from lisa_allennlp.english.events import verbs
from lisa_allennlp.sentence.event import (
    ACCUSED,
    ASKED,
    ASSERTED,
    ATTRIBUTED,
    CONDITIONAL,
    DENIED,
    FUTURE,
    NEGATION,
    POSSIBLE,
    WANTED,
)
from lisa_allennlp.sentence.roles import is_core
from lisa_allennlp.sentence.sentence import Frame, Sentence

_SUBJECTS = ("nsubj", "csubj", "nsubjpass", "csubjpass")
_AUXILIARIES = ("aux", "auxpass", "cop")
_PASSIVE = {"aux:pass", "auxpass", "nsubj:pass", "nsubjpass", "csubj:pass", "csubjpass"}
_OBJECTS = ("obj", "dobj", "iobj")
_CONTEXTS = ("advcl", "xcomp", "ccomp", "csubj", "acl", "obj", "dobj", "obl", "parataxis")
_HOLDERS = ("have", "take")
_PROMISES = ("promise", "threaten")
_FUTURE = ("will", "shall")
_PROSPECTIVE = ("about", "due", "going", "gon", "set")
"""Words between `be` and an infinitive: `is about to leave`."""
_OBLIGATIONS = ("have", "got", "get")
_QUOTATIVE = ("ccomp", "parataxis")

_ABILITIES = ("can", "could", "be able to")

_SEMI_MODALS = ("have to", "be able to")

_MODALS = {"wo": "will", "'ll": "will", "ca": "can", "'d": "would"}


class Truth(NamedTuple):
    """Whether a clause holds or fails, and its factuality if it held."""

    holds: bool
    factuality: str = ASSERTED

    @property
    def label(self) -> str:
        """The factuality; an asserted or future clause that fails is denied."""
        is_said = self.factuality in (ASSERTED, FUTURE)
        return DENIED if is_said and not self.holds else self.factuality


class Clauses:
    """The clauses of a sentence with tags and a tree, by the 0-based token that heads them."""

    def __init__(self, sentence: Sentence) -> None:
        assert sentence.parse is not None and sentence.pos is not None
        self.words: Sequence[str] = sentence.words
        self.lower = [word.lower().replace("’", "'") for word in sentence.words]
        self.tags = sentence.pos
        self.lemmas: Sequence[str] = sentence.lemmas or self.lower
        self.parse = sentence.parse
        self.heads = sentence.parse.head_indices
        self.labels = sentence.parse.head_tags
        self.relations = [tag.partition(":")[0].lower() for tag in sentence.parse.head_tags]
        self.particles: Dict[int, str] = {}
        for token, label in enumerate(self.labels):
            if label in ("compound:prt", "prt"):
                self.particles[self.heads[token]] = self.lower[token]
        negated = [f.predicate for f in sentence.frames or [] if NEGATION in f]
        self._negated = {
            self.heads[token] if self.relations[token] == "cop" else token for token in negated
        }
        self._truths: Dict[int, Truth] = {}
        self._frames: Dict[int, Frame] = {f.predicate: f for f in sentence.frames or []}

    def children(self, token: int, *relations: str) -> List[int]:
        return [c for c in self.parse.children[token] if self.relations[c] in relations]

    def lemma(self, token: int) -> str:
        """The lemma of a token with its particle: `give_up`."""
        lemma = self.lemmas[token].lower()
        particle = self.particles.get(token)
        return f"{lemma}_{particle}" if particle else lemma

    def role(self, token: int) -> Optional[str]:
        """The role that a token heads in the frame of its head."""
        frame = self._frames.get(self.heads[token])
        for span in [] if frame is None else frame.arguments:
            first, last = span.first, span.last
            if first <= token <= last and self.parse.span_head(first, last) == token:
                return span.role
        return None

    def is_had(self, token: int) -> bool:
        """Whether a noun only carries the infinitive below it: `had the nerve to sell`."""
        is_object = self.relations[token] in _OBJECTS
        return is_object and self.lemma(self.heads[token]) in _HOLDERS

    def subject(self, token: int) -> Optional[int]:
        return next(iter(self.children(token, *_SUBJECTS)), None)

    def understood_subject(self, token: int) -> Optional[int]:
        """
        The subject that a clause has or shares: of the first conjunct, of the verb above it, this
        verb's object (`told him to go`), or the noun that it modifies.
        """
        seen = set()
        while token not in seen:
            seen.add(token)
            own = self.subject(token)
            if own is not None:
                return own
            head, relation = self.heads[token], self.relations[token]
            if head == token:
                return None
            effect = self._effect(token) if relation == "advcl" else None
            is_object = effect in verbs.OF_OBJECTS or (
                relation == "advcl" and not self.marks(token).isdisjoint(("of", "from", "into"))
            )
            if is_object or (relation == "xcomp" and self.lemma(head) not in _PROMISES):
                controller = self.children(head, *_OBJECTS)
                if controller:
                    return controller[0]
            if relation == "acl" and self.labels[token] != "acl:relcl":
                if not self.children(token, "mark"):
                    return head
                return self.understood_subject(self.heads[head]) if self.is_had(head) else None
            if relation not in ("conj", "xcomp", "advcl"):
                return None
            token = head
        return None

    def auxiliaries(self, token: int) -> List[int]:
        """The auxiliaries and the copula of a clause or, without any, the shared ones."""
        own = self.children(token, *_AUXILIARIES)
        if not own and self.shares(token):
            return self.auxiliaries(self.heads[token])
        return own

    def shares(self, token: int) -> bool:
        """Whether a clause is coordinated with its head under one subject and its auxiliaries."""
        return (
            self.relations[token] == "conj"
            and self.heads[token] < token
            and self.subject(token) is None
            and self.tags[token] == self.tags[self.heads[token]]
            and not self.children(token, *_AUXILIARIES, "mark")
        )

    def is_negated(self, token: int) -> bool:
        """Whether the clause is negated, or has `no` or `nobody` in a role."""
        for child in self.parse.children[token]:
            relation = self.relations[child]
            if self.lower[child] in verbs.NEGATIONS and relation in ("advmod", "neg", "cc", "det"):
                return self.lower[child + 1 : child + 2] != ["only"]
            if relation == "advmod" and self.lower[child - 1 : child + 1] == ["no", "longer"]:
                return True
            if self.lower[child : child + 2] == ["yet", "to"]:
                return True
            if relation in ("nsubj", "nsubjpass", "obj", "dobj") and self._is_no(child):
                return True
        if token in self._negated or self._is_no(token):
            return True
        return self.shares(token) and self.is_negated(self.heads[token])

    def _is_no(self, token: int) -> bool:
        if self.lower[token] in verbs.NEGATIVE_NOUNS:
            return True
        return any(
            self.lower[child] in verbs.NEGATIVE_DETERMINERS
            for child in self.children(token, "det", "neg", "cc")
        )

    def modal(self, token: int) -> Optional[str]:
        """The modal verb of a clause: an auxiliary, `have to`, `be able to` or `be to`."""
        auxiliaries = self.auxiliaries(token)
        is_be = any(
            self.lower[a] in ("is", "are", "was", "were") and self.relations[a] != "cop"
            for a in auxiliaries
        )
        if is_be and self.is_infinitive(token):
            return "be to"
        for auxiliary in auxiliaries:
            if self.tags[auxiliary] == "MD":
                return _MODALS.get(self.lower[auxiliary], self.lemmas[auxiliary].lower())
        if self.relations[token] == "xcomp" and self.is_infinitive(token):
            head = self.heads[token]
            if self.is_ability(head):
                return "be able to"
            if self.is_obligation(head):
                return "have to"
        return None

    def is_infinitive(self, token: int) -> bool:
        """Whether a clause has the mark `to`, or shares that of the clause before it."""
        if self.tags[token] == "VBG" and not self.auxiliaries(token):
            # `confessed to taking it`, not `has to be joking`
            return False
        if any(self.lemmas[mark].lower() == "to" for mark in self.children(token, "mark", "aux")):
            return True
        return self.shares(token) and self.is_infinitive(self.heads[token])

    def is_ability(self, token: int) -> bool:
        """Whether a token is the `able` of `be able to`, or `unable`."""
        return self.lower[token] in ("able", "unable")

    def is_obligation(self, token: int) -> bool:
        """Whether a token is the `have` of `have to` or the `got` of `have got to`."""
        if self.lemmas[token].lower() not in _OBLIGATIONS or self.children(token, *_OBJECTS):
            return False
        if self.lower[token + 1 : token + 2] == ["yet"]:
            return False
        is_have = self.lemmas[token].lower() == "have"
        return is_have or bool(self.children(token, "aux")) or "ta" in self.lower[token + 1 :][:1]

    def is_prospective(self, token: int) -> bool:
        """Whether a token is the `going` of `be going to`, or the `about` of `be about to`."""
        return self.lower[token] in _PROSPECTIVE and bool(self.children(token, *_AUXILIARIES))

    def tense(self, token: int) -> Optional[str]:
        """The tense of a finite clause: `past`, `present` or `future`; a perfect is past."""
        auxiliaries = self.auxiliaries(token)
        for auxiliary in auxiliaries:
            if self.tags[auxiliary] == "MD":
                return "future" if self.modal(token) in _FUTURE else None
        if self.relations[token] == "xcomp" and self.is_prospective(self.heads[token]):
            return "future"
        if self.modal(token) in _SEMI_MODALS:
            is_got = self.lower[self.heads[token]] == "got"
            return "present" if is_got else self.tense(self.heads[token])
        finite = [*auxiliaries, token]
        tags = [self.tags[t] for t in finite]
        if "VBD" in tags:
            return "past"
        if "VBP" in tags or "VBZ" in tags:
            is_perfect = any(self.lemmas[a].lower() == "have" for a in auxiliaries)
            return "past" if is_perfect and "VBN" in tags else "present"
        return None

    def voice(self, token: int) -> Optional[str]:
        if not self.tags[token].startswith("VB"):
            return None
        if not _PASSIVE.isdisjoint(self.labels[child] for child in self.parse.children[token]):
            return "passive"
        if self.shares(token):
            return self.voice(self.heads[token])
        has_auxiliary = bool(self.auxiliaries(token))
        return "passive" if self.tags[token] == "VBN" and not has_auxiliary else "active"

    def truth(self, token: int) -> Truth:
        """The truth of a clause, by its own words and the words above."""
        if token not in self._truths:
            # An injected tree may have cycles.
            self._truths[token] = Truth(True)
            self._truths[token] = self._truth(token)
        return self._truths[token]

    def _truth(self, token: int) -> Truth:
        holds, around = self._context(token)
        if any(self.lower[c] in verbs.ALMOST for c in self.children(token, "advmod")):
            holds = False
        factuality = self._own_factuality(token, holds, around)
        if self.is_negated(token):
            holds = not holds
            if factuality == POSSIBLE and self.modal(token) in _ABILITIES:
                # What cannot be is not.
                factuality = ASSERTED
        return Truth(holds, factuality)

    def _own_factuality(self, token: int, holds: bool, around: str) -> str:
        if self._is_question(token):
            return ASKED
        if around in (CONDITIONAL, ASKED, WANTED, ACCUSED):
            return around
        if hedge := self.hedge(token):
            return hedge
        if self._is_imperative(token):
            return WANTED
        modal = self.modal(token)
        is_perfect = any(self.lemmas[a].lower() == "have" for a in self.auxiliaries(token))
        if modal == "would":
            is_said = around == ATTRIBUTED or not holds
            return FUTURE if is_said and not is_perfect else CONDITIONAL
        if modal == "should" and is_perfect:
            return CONDITIONAL
        if modal == "be to":
            return WANTED if self.tense(token) == "past" else FUTURE
        if modal in _SEMI_MODALS:
            return ASSERTED if self.tense(token) == "past" else POSSIBLE
        if modal is None:
            is_plan = self.is_infinitive(token) and any(
                self.tags[c] != "VB" for c in self.children(token, "cop")
            )
            return WANTED if is_plan else around
        return FUTURE if modal in _FUTURE else POSSIBLE

    def hedge(self, token: int) -> Optional[str]:
        """The factuality by an adverb of a clause: `allegedly`."""
        adverbs = (self.lower[child] for child in self.children(token, "advmod"))
        return next((verbs.ADVERBS[word] for word in adverbs if word in verbs.ADVERBS), None)

    def _is_question(self, token: int) -> bool:
        """Whether a clause asks if something is so: `Why did it fail?` takes this for granted."""
        if "?" not in self.words:
            return False
        verb = min([token, *self.children(token, *_AUXILIARIES)])
        below = {t for c in self.children(token, "advcl") for t in self.parse.subtree(c)}
        before = [t for t in self.parse.subtree(token) if t <= verb and t not in below]
        if any(self.tags[t].startswith("W") for t in before):
            return False
        marked = any(self.words[child] == "?" for child in self.children(token, "punct"))
        return marked or self._is_inverted(token)

    def _is_inverted(self, token: int) -> bool:
        """Whether an auxiliary stands before the subject: `Had they asked, ...`."""
        subject, auxiliaries = self.subject(token), self.children(token, *_AUXILIARIES)
        return subject is not None and bool(auxiliaries) and auxiliaries[0] < subject

    def _is_imperative(self, token: int) -> bool:
        return (
            self.tags[token] == "VB"
            and self.relations[token] in ("root", "parataxis", "conj")
            and self.understood_subject(token) is None
            and all(self.lemmas[a].lower() == "do" for a in self.auxiliaries(token))
        )

    def marks(self, token: int) -> Set[str]:
        own = self.children(token, "mark", "case", "cc")
        return {self.lower[m] for o in own for m in (o, *self.children(o, "fixed"))}

    def _context(self, token: int) -> Truth:
        head, relation, marks = self.heads[token], self.relations[token], self.marks(token)
        if relation in ("advcl", "acl", "root") and (
            marks & verbs.CONDITIONS or (relation == "advcl" and self._is_inverted(token))
        ):
            return Truth(True, CONDITIONAL)
        if head == token:
            return Truth(True)
        if relation == "conj":
            above = self._context(head)
            if "or" in marks and self._is_imperative(head) and self.subject(token) is not None:
                return Truth(True, CONDITIONAL)
            shared = self.truth(head).factuality if self.shares(token) else None
            return Truth(above.holds, shared or above.factuality)
        if relation in ("advcl", "acl", "obl", "nmod") and marks & verbs.WITHOUT:
            return Truth(False)
        is_adverbial = relation == "advcl" and not self.tags[head].startswith("JJ")
        if is_adverbial and not is_core(self.role(token) or ""):
            return self._adverbial(token, self.truth(head).factuality)
        is_relative = self.labels[token] == "acl:relcl" and not self.is_infinitive(token)
        if is_relative and self._is_any(head) and self.relations[head] in _OBJECTS:
            around = self.truth(self.heads[head]).factuality
            return Truth(True, around if around in (CONDITIONAL, ASKED, WANTED) else ASSERTED)
        if is_relative or relation not in (*_CONTEXTS, *_SUBJECTS[:1]):
            return Truth(True)
        return self._complement(token, head, marks)

    def _adverbial(self, token: int, around: str) -> Truth:
        """An adverbial clause without a time has its head's truth."""
        tense = self.tense(token)
        if self.is_infinitive(token):
            return Truth(True, WANTED)
        is_open = tense is None or (tense == "present" and self.role(token) == "ARGM-TMP")
        return Truth(True, around if is_open and around not in (DENIED, ATTRIBUTED) else ASSERTED)

    def _is_any(self, token: int) -> bool:
        """Whether a noun has an indefinite determiner: `a phone that works`."""
        determiners = {self.lower[d] for d in self.children(token, "det")}
        return not determiners.isdisjoint(verbs.INDEFINITE)

    def _noun(self, token: int, head: int, above: Truth) -> Truth:
        """The truth of an event noun, the object of a verb or the verb's passive subject."""
        lemma, is_passive = self.lemma(head), self.voice(head) == "passive"
        if self.relations[token] in _SUBJECTS and not is_passive:
            if lemma not in verbs.OF_SUBJECTS:
                return Truth(True)
            return Truth(above.holds == verbs.OF_SUBJECTS[lemma], above.factuality)
        if lemma in verbs.OF_NOUNS:
            holds, around = verbs.OF_NOUNS[lemma]
            is_said = above.holds and above.factuality == ASSERTED
            return Truth(holds == above.holds, around if is_said else above.factuality)
        determiners = {self.lower[d] for d in self.children(token, "det")}
        is_known = determiners - verbs.INDEFINITE or "nmod:poss" in {
            self.labels[c] for c in self.parse.children[token]
        }
        return Truth(True) if is_known or is_passive else above

    def _complement(self, token: int, head: int, marks: Set[str]) -> Truth:
        relation = self.relations[token]
        above = self.truth(head)
        if relation == "ccomp" and marks & {"if", "whether"}:
            return Truth(True, ASKED)
        is_wh = any(self.tags[child].startswith("W") for child in self.parse.children[token])
        if is_wh and self.is_infinitive(token):
            return Truth(True, POSSIBLE)
        effect = self._effect(token)
        if relation == "obl" and effect not in verbs.OF_OBJECTS:
            wants = self.lemma(head) in verbs.OF_NOUNS_WITH_FOR
            is_for = any(self.lower[c] == "for" for c in self.children(token, "case"))
            return Truth(True, WANTED if wants and is_for else ASSERTED)
        if relation in (*_OBJECTS, *_SUBJECTS[:1]):
            return self._noun(token, head, above)
        if self.is_ability(head):
            is_past = self.tense(head) == "past"
            holds = above.holds == (self.lower[head] == "able")
            return Truth(holds, above.factuality if is_past or not holds else POSSIBLE)
        if relation == "xcomp" and self.is_obligation(head):
            return above
        if relation == "xcomp" and self.is_prospective(head):
            is_past = any(self.tags[a] == "VBD" for a in self.auxiliaries(head))
            is_said = above.factuality in (ASSERTED, ATTRIBUTED)
            # `was not going to sell` denies the sale
            prospect = WANTED if is_past and above.holds else FUTURE
            return Truth(above.holds, prospect if is_said else above.factuality)
        if self.is_infinitive(token) and any(
            "too" in (self.lower[t], *(self.lower[c] for c in self.children(t, "advmod")))
            for t in (head, self.heads[head])[: 1 + (self.lower[head] == "too")]
        ):
            return Truth(not above.holds, above.factuality)
        is_apart = relation == "parataxis" and (effect is None or effect.open != ATTRIBUTED)
        is_enough = any(self.lower[c] == "enough" for c in self.children(head, "advmod"))
        if is_enough and not above.holds and self.is_infinitive(token):
            return above
        # `a joke to tell`, `a report to write`
        is_to_do = relation == "acl" and self.is_infinitive(token) and effect in verbs.OF_SPEECH
        if effect is None or is_apart or is_to_do:
            return self._default(token, head, above, marks)
        sign = effect.positive if above.holds else effect.negative
        if (effect.positive, effect.negative) == ("+", "+"):
            # `would love to talk`
            is_wish = above.factuality == CONDITIONAL and self.is_infinitive(token)
            return Truth(True, WANTED if is_wish else ASSERTED)
        is_gerund = self.tags[token] == "VBG" and bool(marks & {"about", "in", "of"})
        if effect == verbs.OF_BELIEF and is_gerund:
            # `believe in selling`
            return Truth(True, POSSIBLE)
        if effect.open == ATTRIBUTED:
            holds = sign != verbs.FAILS
            if not holds and self.modal(head) in _ABILITIES:
                # `I cannot believe that he sold it`
                return Truth(True)
            asks = above.factuality in (ASKED, CONDITIONAL)
            if not holds and not asks:
                return Truth(False)
            return Truth(holds, above.factuality if asks else ATTRIBUTED)
        if sign == verbs.OPEN:
            # `They asked how he sold it` takes it for granted.
            is_asked = effect.open == WANTED and relation == "ccomp" and is_wh
            return Truth(True, ASSERTED if is_asked else effect.open)
        return Truth(sign == verbs.HOLDS, above.factuality)

    def _effect(self, token: int) -> Optional[verbs.Effect]:
        head = self.heads[token]
        lemma, frame = self.lemma(head), self._frames.get(head)
        if lemma in verbs.OF_FREEDOM and self.marks(token) & {"from", "of"}:
            return verbs.PREVENTED
        roleset = None if frame is None else verbs.roleset_of(frame.sense)
        is_finite = self.relations[token] in _QUOTATIVE or self.subject(token) is not None
        return verbs.effect_of(lemma, is_finite, roleset, self.role(token))

    def _default(self, token: int, head: int, above: Truth, marks: Set[str]) -> Truth:
        relation = self.relations[token]
        if relation == "parataxis":
            return Truth(True)
        if relation == "acl" and self.is_had(head) and self.lower[head - 1] == "the":
            return self.truth(self.heads[head])
        if relation in ("advcl", "xcomp", "ccomp", "acl", "csubj") and self.is_infinitive(token):
            if relation == "acl" and not above.holds and "but" not in marks:
                # `no time to sell`
                return above
            is_purpose = relation == "acl" or self.tags[head].startswith("VB")
            return Truth(True, WANTED if is_purpose else POSSIBLE)
        if relation == "xcomp":
            return above
        is_open = relation == "acl" and not above.holds
        return Truth(True, POSSIBLE if is_open else above.factuality)

    def ancestors(self, token: int) -> Iterator[int]:
        seen = {token}
        while self.heads[token] not in seen:
            token = self.heads[token]
            seen.add(token)
            yield token
