"""What follows a noun in the embedded sample: relative clauses and participles."""

from typing import List, Optional, Tuple

from sample.choices import Choices
from sample.clause import Clause, Manner, References
from sample.lexicon import NO_PASSIVE, PEOPLE, VERBS, Verb
from sample.tokens import Phrase, Token, attach


class RelativeClauses(Choices):
    """Makes the clauses that modify nouns."""

    def _relative_clause(self, phrase: Phrase, depth: int) -> None:
        people = phrase.kind in PEOPLE
        choice = self.rng.random()
        if choice < 0.5:
            clause_tokens, clause = self.subject_relative(phrase, people, depth)
        elif choice < 0.85:
            made = self._object_relative(phrase, people, depth)
            if made is None:
                return
            clause_tokens, clause = made
        elif phrase.kind in ("place", "building", "room"):
            clause_tokens, clause = self._place_relative(phrase)
        elif people:
            clause_tokens, clause = self._pied_piping(phrase)
        else:
            return
        attach(clause.head, phrase.head, "acl:relcl")
        if self.chance(0.15) and clause_tokens[0].form in ("who", "which", "whom"):
            commas = [
                attach(Token(",", ",", ",", "comma"), clause.head, "punct", True) for _ in "12"
            ]
            clause_tokens = [commas[0]] + clause_tokens + [commas[1]]
        phrase.tokens.extend(clause_tokens)

    def relative_pronoun(self, people: bool, case: str = "nominative") -> Token:
        """`who`, `whom`, `which` or `that`."""
        if self.chance(0.4):
            return Token("that", "WDT", "that", "relative")
        if people:
            form = "who" if case == "nominative" or self.chance(0.3) else "whom"
            return Token(form, "WP", "who", "relative")
        return Token("which", "WDT", "which", "relative")

    def subject_relative(
        self, phrase: Phrase, people: bool, depth: int
    ) -> Tuple[List[Token], Clause]:
        who = self.relative_pronoun(people)
        references = [("", phrase.head), ("R-", who)]
        verb = self.verb_for_subject([phrase.kind], simple=depth < 2)
        subject = Phrase(who, [who], phrase.kind, phrase.agreement)
        manner = self.manner(verb)
        # The relative pronoun is chosen as the subject of the active verb.
        manner.passive = manner.passive and phrase.kind in verb.slot("obj").fillers
        manner.passive = manner.passive and not verb.has("iobj")
        if self.chance(0.15) and people:
            clause = self.copular(subject, references, self.manner(), depth=0)
        else:
            clause = self.clause(verb, references, manner, subject=subject, depth=depth - 1)
        return clause.declarative(), clause

    def _object_relative(
        self, phrase: Phrase, people: bool, depth: int
    ) -> Optional[Tuple[List[Token], Clause]]:
        verbs = [v for v in VERBS if v.has("obj") and phrase.kind in v.slot("obj").fillers]
        if not verbs:
            return None
        verb = self.pick(verbs, name=lambda v: v.lemma)
        subject = self.noun_phrase(verb.subject.fillers, depth=0, pronouns=0.4, bare=True)
        pronoun = None if self.chance(0.35) else self.relative_pronoun(people, "accusative")
        gap: References = [("", phrase.head)]
        if pronoun is not None:
            gap.append(("R-", pronoun))
        manner = self.manner(verb)
        manner.passive = False
        clause = self.clause(
            verb,
            [("", subject.head)],
            manner,
            subject=subject,
            gap="obj",
            gap_references=gap,
            depth=0,
        )
        if pronoun is not None:
            attach(pronoun, clause.head, "obj")
        return ([pronoun] if pronoun else []) + clause.declarative(), clause

    def _place_relative(self, phrase: Phrase) -> Tuple[List[Token], Clause]:
        where = Token("where", "WRB", "where", "relative")
        verb = self.pick(
            [
                v
                for v in VERBS
                if v.lemma in ("work", "meet", "live", "sleep", "eat", "dance", "cook", "wait")
            ],
            name=lambda v: v.lemma,
        )
        verb = Verb(
            verb.lemma,
            verb.sense,
            verb.forms,
            verb.subject,
            tuple(s for s in verb.slots if not s.relation.startswith("obl")),
            adjuncts=False,
        )
        subject = self.noun_phrase(["person", "kin"], depth=0, pronouns=0.4, bare=True)
        clause = self.clause(
            verb, [("", subject.head)], self.manner(verb), subject=subject, depth=0
        )
        attach(where, clause.head, "advmod", True)
        clause.draft.add("ARGM-LOC", phrase.head)
        clause.draft.add("R-ARGM-LOC", where)
        return [where] + clause.declarative(), clause

    def _pied_piping(self, phrase: Phrase) -> Tuple[List[Token], Clause]:
        lemma, preposition, role = self.rng.choice(
            [
                ("talk", "to", "ARG2"),
                ("rely", "on", "ARG1"),
                ("listen", "to", "ARG1"),
                ("wait", "for", "ARG2"),
            ]
        )
        verb = next(v for v in VERBS if v.lemma == lemma)
        whom = Token("whom", "WP", "who", "relative")
        case = attach(Token(preposition, "IN", preposition, "preposition"), whom, "case")
        subject = self.noun_phrase(["person", "kin"], depth=0, pronouns=0.5, bare=True)
        manner = self.manner(verb)
        clause = self.clause(
            verb,
            [("", subject.head)],
            manner,
            subject=subject,
            gap=f"obl.{preposition}",
            gap_references=[("", phrase.head), ("R-", whom)],
            depth=0,
        )
        attach(whom, clause.head, "obl", True)
        if self.chance(0.3):
            # `whom she talked to`: the preposition stays behind, and the tree is not projective.
            where = clause.core.index(clause.head) + 1
            clause.core.insert(where, case)
            return [whom] + clause.declarative(), clause
        return [case, whom] + clause.declarative(), clause

    def _participle(self, phrase: Phrase) -> None:
        verbs = [
            v
            for v in VERBS
            if v.has("obj")
            and phrase.kind in v.slot("obj").fillers
            and v.lemma not in NO_PASSIVE
            and not any(s.relation in ("iobj", "xcomp", "ccomp") for s in v.slots)
            and not v.particle
        ]
        if not verbs:
            return
        verb = self.pick(verbs, name=lambda v: v.lemma)
        clause = self.clause(verb, [("", phrase.head)], Manner("participle", passive=True), depth=0)
        attach(clause.head, phrase.head, "acl")
        phrase.tokens.extend(clause.declarative())

    def _gerund_modifier(self, phrase: Phrase, depth: int) -> None:
        verb = self.verb_for_subject([phrase.kind], simple=True)
        if not verb.progressive:
            return
        clause = self.clause(verb, [("", phrase.head)], Manner("gerund"), depth=depth - 1)
        attach(clause.head, phrase.head, "acl")
        phrase.tokens.extend(clause.declarative())
