"""Quoted speech in the embedded sample."""

from typing import List, Tuple

from sample.clause import Clause, Manner
from sample.constructions import Constructions
from sample.lexicon import VERBS, Verb
from sample.tokens import Token, attach


class Quotations(Constructions):
    """Makes sentences in which the speaker stands before, after or inside what is said."""

    def _speech(self, inverted: bool) -> Tuple[Clause, List[Token]]:
        """`she said` or `said the mayor`, whose content stands elsewhere."""
        grammar = self.grammar
        lemma = self.rng.choice(["say", "say", "claim", "announce", "think", "hope"])
        verb = next(v for v in VERBS if v.lemma == lemma and v.has("ccomp"))
        plain = Verb(verb.lemma, verb.sense, verb.forms, verb.subject, verb.slots, adjuncts=False)
        subject = grammar.noun_phrase(["person", "kin", "group"], depth=0, pronouns=0.4, bare=True)
        inverted = inverted and not subject.is_pronoun and grammar.chance(0.4)
        clause = grammar.clause(
            plain,
            [("", subject.head)],
            Manner(tense=grammar.tense()),
            subject=subject,
            gap="ccomp",
            adjuncts=False,
        )
        clause.auxiliaries = []
        tokens = clause.core + clause.subject if inverted else clause.declarative()
        return clause, tokens

    def quotation_first(self) -> List[Token]:
        """```` `` The bridge collapsed , '' she said . ````"""
        grammar = self.grammar
        inner = grammar.statement(1)
        clause, speech = self._speech(True)
        attach(inner.head, clause.head, "ccomp", True)
        clause.draft.add("ARG1", inner.head)
        comma = self.mark(",", inner.head)
        if grammar.chance(0.35):
            return self.close(inner.declarative() + [comma] + speech, clause.head)
        tokens = [self.mark("``", inner.head)] + inner.declarative()
        return self.close(tokens + [comma, self.mark("''", inner.head)] + speech, clause.head)

    def quotation_last(self) -> List[Token]:
        """```` She said , `` The bridge collapsed . '' ````"""
        inner = self.grammar.statement(1)
        clause, speech = self._speech(False)
        attach(inner.head, clause.head, "ccomp", True)
        clause.draft.add("ARG1", inner.head)
        tokens = speech + [self.mark(",", inner.head), self.mark("``", inner.head)]
        stop, end = self.mark(".", clause.head), self.mark("''", clause.head)
        quoted = inner.declarative()
        quoted[0].form = quoted[0].form[0].upper() + quoted[0].form[1:]
        return tokens + quoted + [stop, end]

    def quotation_split(self) -> List[Token]:
        """```` `` We won , '' she said , `` at last . '' ````: an argument in two pieces."""
        grammar = self.grammar
        inner = grammar.statement(1, adjuncts=False)
        saved = inner.tail
        inner.tail = []
        if grammar.chance(0.7):
            grammar.add_time(inner)
        elif grammar.chance(0.5) and inner.object_kind not in ("building", "place"):
            grammar.add_place(inner)
        else:
            tokens, other, role = grammar.subordinate(0)
            attach(other.head, inner.head, "advcl", True)
            inner.draft.add(role, other.head)
            inner.tail = tokens
        tail, inner.tail = inner.tail, saved
        clause, speech = self._speech(True)
        attach(clause.head, inner.head, "parataxis", True)
        clause.draft.add("ARG1", inner.head)
        commas = [self.mark(",", clause.head) for _ in range(2)]
        end = [self.mark(".", inner.head)]
        if grammar.chance(0.3) and inner.subject:
            # `The bridge , she said , collapsed .`
            rest = inner.auxiliaries + inner.core + inner.tail + tail
            return inner.subject + commas[:1] + speech + commas[1:] + rest + end
        commas = [self.mark(",", inner.head) for _ in range(2)]
        quotes = [self.mark(form, inner.head) for form in ("``", "''", "``", "''")]
        first = [quotes[0]] + inner.declarative() + [commas[0], quotes[1]]
        return first + speech + [commas[1], quotes[2]] + tail + end + [quotes[3]]
