"""Statements of the embedded sample."""

from typing import List

from sample.clause import Clause, Manner, References
from sample.constructions import Constructions
from sample.lexicon import VERBS, Verb
from sample.tokens import Phrase, PredicateDraft, Token, attach


class Statements(Constructions):
    """Makes statements: simple, compound and complex ones."""

    def plain_statement(self) -> List[Token]:
        """`The old farmer has never sold a horse to his neighbour .`"""
        clause = self.grammar.statement(self.rng.choice([0, 1, 2, 2]))
        tokens = clause.declarative()
        if self.grammar.chance(0.15):
            tokens = self._discourse(clause, tokens)
        return self.close(tokens, clause.head, "!" if self.grammar.chance(0.04) else ".")

    def _discourse(self, clause: Clause, tokens: List[Token]) -> List[Token]:
        name, role = self.rng.choice([("discourse", "ARGM-DIS"), ("stance", "ARGM-ADV")])
        form = self.grammar.word(f"adverb.{name}")
        adverb = attach(Token(form, "RB", form, name), clause.head, "advmod", True)
        clause.draft.add(role, adverb)
        return [adverb, self.mark(",", adverb)] + tokens

    def nominal_statement(self) -> List[Token]:
        """`The mayor 's decision to leave surprised everyone .`"""
        grammar = self.grammar
        verb = self.transitive(lambda v: "abstract" in v.subject.fillers)
        subject = grammar.nominal()
        manner = Manner(tense=grammar.tense(), negative=grammar.chance(0.2))
        clause = grammar.clause(verb, [("", subject.head)], manner, subject=subject, depth=1)
        return self.close(clause.declarative(), clause.head)

    def expletive_statement(self) -> List[Token]:
        """`It is difficult to open the box .`"""
        grammar = self.grammar
        it = Token("it", "PRP", "it", "pronoun")
        form, _, pos = grammar.word("adjective.idea").partition("/")
        if pos:
            return []
        head = Token(form, "JJ", form, "adjective.idea")
        manner = Manner(tense=grammar.tense(), negative=grammar.chance(0.2))
        if grammar.chance(0.3):
            manner.modal = self.rng.choice(["would", "will", "might", "must"])
        subject = Phrase(it, [it], is_pronoun=True)
        clause = grammar.copular_clause(subject, [("", it)], manner, Phrase(head, [head]), [])
        it.relation = "expl"
        verb = grammar.verb_for_subject(["person"], simple=grammar.chance(0.8))
        inner = grammar.clause(verb, [], Manner("infinitive"), depth=1)
        attach(inner.head, head, "csubj", True)
        clause.draft.add("C-ARG1", inner.head)
        return self.close(clause.declarative() + inner.declarative(), head)

    def fronted_adverbial(self) -> List[Token]:
        """`On Monday , the council rejected the plan .`"""
        grammar = self.grammar
        clause = grammar.statement(1, adjuncts=False)
        before = list(clause.tail)
        clause.tail = []
        if grammar.chance(0.6):
            grammar.add_time(clause)
        else:
            grammar.add_place(clause)
        front, clause.tail = clause.tail, before
        head = next(t for t in front if t.head is clause.head)
        comma = [self.mark(",", head)] if grammar.chance(0.75) else []
        return self.close(front + comma + clause.declarative(), clause.head)

    def fronted_clause(self) -> List[Token]:
        """`Although the hotel was full , we found a room .`"""
        grammar = self.grammar
        clause = grammar.statement(1)
        tokens, inner, role = grammar.subordinate(1)
        attach(inner.head, clause.head, "advcl", True)
        clause.draft.add(role, inner.head)
        tokens = tokens + [self.mark(",", inner.head)]
        return self.close(tokens + clause.declarative(), clause.head)

    def participial(self) -> List[Token]:
        """`Smiling politely , the waiter opened the door .`"""
        grammar = self.grammar
        verb = grammar.verb_for_subject(["person"])
        clause = grammar.statement_with(verb, 1, manner=Manner(tense="past"))
        inner_verb = grammar.verb_for_subject(["person"], simple=True)
        if not inner_verb.progressive:
            return []
        inner = grammar.clause(inner_verb, clause.references, Manner("gerund"), depth=1)
        attach(inner.head, clause.head, "advcl", True)
        clause.draft.add("ARGM-ADV", inner.head)
        comma = self.mark(",", inner.head)
        if grammar.chance(0.6):
            return self.close(inner.declarative() + [comma] + clause.declarative(), clause.head)
        return self.close(clause.declarative() + [comma] + inner.declarative(), clause.head)

    def coordinated_verbs(self) -> List[Token]:
        """`The boy opened the box and took the key .`: one subject for two verbs."""
        grammar = self.grammar
        first = grammar.verb_for_subject(["person", "kin"], simple=True)
        manner = Manner(tense=grammar.tense())
        shared_modal = grammar.chance(0.3)
        if shared_modal:
            manner.modal = self.rng.choice(["will", "can", "should", "must", "might"])
        clause = grammar.statement_with(first, 1, adjuncts=grammar.chance(0.4), manner=manner)
        count = 2 if grammar.chance(0.2) else 1
        tokens = clause.declarative()
        for number in range(count):
            verb = grammar.verb_for_subject(["person"], simple=number < count - 1)
            form = Manner("bare") if shared_modal else Manner(tense=manner.tense)
            if not shared_modal and grammar.chance(0.12):
                form.negative = True
            other = self._second_verb(verb, clause, form)
            attach(other.head, clause.head, "conj", True)
            if shared_modal:
                other.draft.add("ARGM-MOD", next(t for t in clause.auxiliaries if t.pos == "MD"))
            if number == count - 1:
                word = self.rng.choice(["and", "and", "but", "or"] if count == 1 else ["and"])
                link = attach(Token(word, "CC", word, "conjunction"), other.head, "cc", True)
            else:
                link = self.mark(",", other.head)
            tokens = tokens + [link] + other.declarative()
        return self.close(tokens, clause.head)

    def _second_verb(self, verb: Verb, first: Clause, manner: Manner) -> Clause:
        grammar = self.grammar
        references: References = first.references
        subject = Phrase(first.head, [], agreement=first.agreement)
        # A subject that stands in the first clause: its tokens are not repeated.
        auxiliaries, head = grammar.verb_group(verb.forms, manner, subject.agreement)
        head.kind = f"verb.{verb.slots[0].relation if verb.slots else 'none'}"
        head.predicate = PredicateDraft(verb.lemma, verb.sense)
        clause = Clause(
            head,
            head,
            references,
            verb=verb,
            agreement=first.agreement,
            manner=manner,
            auxiliaries=auxiliaries,
            core=[head],
        )
        grammar.hang(auxiliaries, clause)
        grammar.add_subject_role(clause)
        grammar.add_complements(clause, "", 1)
        if verb.adjuncts and grammar.chance(0.5):
            grammar.adverbials(clause, 0)
        return clause

    def coordinated_clauses(self) -> List[Token]:
        """`The train was late , but nobody complained .`"""
        grammar = self.grammar
        first, second = grammar.statement(1), grammar.statement(1)
        attach(second.head, first.head, "conj", True)
        if grammar.chance(0.15):
            middle = [self.mark(";", second.head, ":")]
        else:
            word = self.rng.choice(["and", "but", "so", "or"])
            link = attach(Token(word, "CC", word, "conjunction"), second.head, "cc", True)
            middle = [self.mark(",", second.head), link] if grammar.chance(0.7) else [link]
        return self.close(first.declarative() + middle + second.declarative(), first.head)

    def extraposition(self) -> List[Token]:
        """`A book appeared yesterday that criticises the mayor .`: not projective."""
        grammar = self.grammar
        lemma = self.rng.choice(["arrive", "disappear"])
        verb = next(v for v in VERBS if v.lemma == lemma)
        if verb.lemma == "arrive" or grammar.chance(0.5):
            verb = Verb(verb.lemma, verb.sense, verb.forms, verb.subject)
        kind = self.rng.choice(list(verb.subject.fillers))
        subject = grammar.common_noun("person" if kind == "kin" else kind, 0, True)
        manner = Manner(tense="past", perfect=grammar.chance(0.2))
        clause = grammar.clause(
            verb, [("", subject.head)], manner, subject=subject, depth=0, adjuncts=False
        )
        grammar.add_time(clause)
        tokens, inner = grammar.subject_relative(subject, subject.kind == "person", 1)
        attach(inner.head, subject.head, "acl:relcl")
        return self.close(clause.declarative() + tokens, clause.head)
