"""Statements of the embedded sample with an ambiguous prepositional phrase."""

from typing import List, Sequence, Tuple

from sample.clause import Clause
from sample.constructions import Constructions
from sample.lexicon import VERBS, Verb
from sample.tokens import Phrase, Token, attach

# Where things happen to these, the place is the verb's; where to a house, the house's.
_MOBILE = ("person", "kin", "animal", "vehicle", "thing", "food")
_TOOLS = ("optic", "cutter", "striker", "cutlery", "wiper", "opener")
# What a noun's phrase brings, and the classes of nouns that have such a thing.
_BEARERS = {
    "attribute": ("person", "kin"),
    "tool": ("person",),
    "part": ("container", "machine"),
    "feature": ("building",),
    "ingredient": ("food",),
    "place": ("building", "plant", "art"),
    "time": ("event",),
}
_WANTED = [*_BEARERS, "attribute", "tool", "tool", "tool"]


class Attachments(Constructions):
    """
    Makes sentences of the form `she saw the man with ...`: the words decide whether the phrase
    is the verb's, with a role of its own, or the noun's, inside the object.
    """

    def _attachment_clause(self, verb: Verb, kinds: Sequence[str]) -> Tuple[Clause, Phrase]:
        """A clause `subject verb object` with nothing after its object yet."""
        grammar = self.grammar
        subject = grammar.noun_phrase(verb.subject.fillers, depth=1, pronouns=0.35, bare=True)
        manner = grammar.manner(verb)
        manner.passive = False
        plain = Verb(
            verb.lemma,
            verb.sense,
            verb.forms,
            verb.subject,
            tuple(s for s in verb.slots if s.relation == "obj"),
        )
        clause = grammar.clause(
            plain, [("", subject.head)], manner, subject=subject, gap="obj", adjuncts=False
        )
        clause.verb = verb
        phrase = self._object(kinds)
        attach(phrase.head, clause.head, "obj", True)
        clause.draft.add(verb.slot("obj").role, phrase.head)
        return clause, phrase

    def _object(self, kinds: Sequence[str]) -> Phrase:
        kind = self.rng.choice(list(kinds))
        if kind in ("city", "country", "money", "percent"):
            kind = "place"
        return self.grammar.common_noun(kind, 0, True)

    def _finish_attachment(self, clause: Clause, phrase: Phrase) -> List[Token]:
        if self.grammar.chance(0.2) and phrase.kind != "event":
            self.grammar.add_time(clause)
        return self.close(clause.declarative(), clause.head)

    def verb_attachment(self) -> List[Token]:
        """`She saw the man with a telescope .`: the prepositional phrase is the verb's."""
        grammar = self.grammar
        style = self.rng.random()
        if style < 0.5:
            verb = self.transitive(lambda v: bool(v.instrument))
            clause, phrase = self._attachment_clause(verb, verb.slot("obj").fillers)
            clause.core.extend(phrase.tokens)
            if not grammar.instrument(clause):
                return []
            return self._finish_attachment(clause, phrase)
        verb = self.transitive(lambda v: not v.prepositions)
        clause, phrase = self._attachment_clause(verb, verb.slot("obj").fillers)
        clause.core.extend(phrase.tokens)
        if style < 0.65:
            lemma, _ = grammar.pick(grammar.words.nouns["quality"], name=lambda noun: noun[0])
            quality = Phrase(head := Token(lemma, "NN", lemma, "quality"), [head])
            grammar.prepositional(clause, "with", quality, "ARGM-MNR")
        elif style < 0.75 or phrase.kind == "event":
            other = grammar.noun_phrase(["kin"], "accusative", 0, 0, bare=True)
            grammar.prepositional(clause, "with", other, "ARGM-COM")
        elif style < 0.87 and phrase.kind in _MOBILE:
            grammar.add_place(clause)
        else:
            preposition, time = grammar.time_phrase(clause.manner, verb.lemma == "read")
            grammar.prepositional(clause, preposition, time, "ARGM-TMP")
        return self.close(clause.declarative(), clause.head)

    def noun_attachment(self) -> List[Token]:
        """`She saw the man with a beard .`: the prepositional phrase is the object's."""
        grammar = self.grammar
        wanted = self.rng.choice(_WANTED)
        kinds = _BEARERS[wanted]
        verbs = [v for v in VERBS if v.has("obj") and set(kinds) & set(v.slot("obj").fillers)]
        if wanted in ("part", "feature", "ingredient") and grammar.chance(0.5):
            # `She opened the box with a lid`: of those that could take an instrument instead.
            verbs = [v for v in verbs if v.instrument] or verbs
        verb = self.transitive(lambda v: v in verbs)
        fitting = [kind for kind in verb.slot("obj").fillers if kind in kinds]
        clause, phrase = self._attachment_clause(verb, fitting)
        if wanted == "place":
            kinds = ("place", "city", "country")
            place = grammar.noun_phrase(kinds, "accusative", 0, 0, bare=True)
            grammar.modify(phrase, grammar.preposition_of_place(place), place)
        elif wanted == "time":
            grammar.modify(phrase, "on", grammar.day())
        else:
            kind = wanted
            if wanted == "tool":
                kind = self.rng.choice([tool for tool in _TOOLS if tool != verb.instrument])
            other = grammar.common_noun(kind, 0, True, singular=grammar.chance(0.8))
            if not grammar.pair_allowed(phrase.head.lemma, other.head.lemma):
                return []
            grammar.modify(phrase, "with", other)
        clause.core.extend(phrase.tokens)
        return self._finish_attachment(clause, phrase)
