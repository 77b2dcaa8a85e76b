"""Questions and orders of the embedded sample."""

from typing import List

from sample.clause import Clause, Manner
from sample.constructions import Constructions
from sample.lexicon import VERBS, Verb
from sample.tokens import Phrase, Token, attach


class Questions(Constructions):
    """Makes questions and imperatives."""

    def polar_question(self) -> List[Token]:
        """`Did the nurse open the window ?`"""
        grammar = self.grammar
        if grammar.chance(0.25):
            clause = grammar.copular_statement(0)
        else:
            verb = grammar.verb_for_subject(["person", "kin", "animal"], simple=grammar.chance(0.7))
            manner = grammar.manner(verb)
            manner.inverted = True
            clause = grammar.statement_with(verb, 1, manner=manner)
        return self.close(self._inverted(clause), clause.head, "?")

    def _inverted(self, clause: Clause) -> List[Token]:
        first = clause.auxiliaries[0]
        full = {"'s": "is", "'re": "are", "'ll": "will", "'d": "would", "'ve": "have", "'m": "am"}
        first.form = full.get(first.form, first.form)
        return clause.interrogative()

    def wh_question(self) -> List[Token]:
        """`What did she buy ?`, `Who broke the vase ?`, `What did he say that she bought ?`"""
        draw = self.rng.random()
        if draw < 0.3:
            return self._subject_question()
        if draw < 0.5:
            return self._adverb_question()
        if draw < 0.75:
            return self._object_question()
        return self._distant_question()

    def _subject_question(self) -> List[Token]:
        grammar = self.grammar
        people = grammar.chance(0.7)
        verb = grammar.verb_for_subject(["person"] if people else ["event"], simple=True)
        form = "Who" if people else "What"
        who = Token(form.lower(), "WP", form.lower(), "interrogative")
        subject = Phrase(who, [who], "person" if people else "event")
        clause = grammar.clause(
            verb,
            [("", who)],
            Manner(tense="past", modal=self.rng.choice(["", "", "will", "could"])),
            subject=subject,
            depth=1,
        )
        return self.close(clause.declarative(), clause.head, "?")

    def _adverb_question(self) -> List[Token]:
        grammar = self.grammar
        form, role = self.rng.choice(
            [("why", "ARGM-CAU"), ("when", "ARGM-TMP"), ("where", "ARGM-LOC"), ("how", "ARGM-MNR")]
        )
        verb = grammar.verb_for_subject(["person", "kin"], simple=True)
        manner = grammar.manner(verb)
        manner.inverted = True
        clause = grammar.statement_with(verb, 1, adjuncts=False, manner=manner)
        word = attach(Token(form, "WRB", form, "interrogative"), clause.head, "advmod", True)
        clause.draft.add(role, word)
        return self.close([word] + self._inverted(clause), clause.head, "?")

    def _asked(self, verb: Verb) -> Phrase:
        people = "person" in verb.slot("obj").fillers
        grammar = self.grammar
        if grammar.chance(0.4):
            kind = self.rng.choice(
                [k for k in verb.slot("obj").fillers if k not in ("city", "money", "country")]
                or ["thing"]
            )
            noun = grammar.common_noun(kind, 0, True)
            noun.tokens = [noun.head]
            noun.head.relation = "obj"
            which = self.rng.choice(["which", "what"])
            word = attach(Token(which, "WDT", which, "interrogative"), noun.head, "det")
            return Phrase(noun.head, [word, noun.head], kind)
        form, pos = ("whom" if grammar.chance(0.3) else "who", "WP") if people else ("what", "WP")
        word = Token(form, pos, "who" if people else "what", "interrogative")
        return Phrase(word, [word])

    def _object_question(self) -> List[Token]:
        grammar = self.grammar
        verb = self.transitive(lambda v: "person" in v.subject.fillers)
        asked = self._asked(verb)
        subject = grammar.noun_phrase(verb.subject.fillers, depth=0, pronouns=0.5, bare=True)
        manner = grammar.manner(verb)
        manner.passive, manner.inverted = False, True
        clause = grammar.clause(
            verb,
            [("", subject.head)],
            manner,
            subject=subject,
            gap="obj",
            gap_references=[("", asked.head)],
            depth=0,
        )
        attach(asked.head, clause.head, "obj", True)
        return self.close(asked.tokens + self._inverted(clause), clause.head, "?")

    def _distant_question(self) -> List[Token]:
        """`What did he say that she bought ?`: not projective."""
        grammar = self.grammar
        verb = self.transitive(lambda v: "person" in v.subject.fillers)
        asked = self._asked(verb)
        subject = grammar.noun_phrase(verb.subject.fillers, depth=0, pronouns=0.5, bare=True)
        manner = grammar.manner(verb)
        manner.passive = False
        inner = grammar.clause(
            verb,
            [("", subject.head)],
            manner,
            subject=subject,
            gap="obj",
            gap_references=[("", asked.head)],
            depth=0,
            adjuncts=False,
        )
        attach(asked.head, inner.head, "obj", True)
        lemma = self.rng.choice(["say", "think", "believe", "claim", "hope"])
        outer_verb = next(v for v in VERBS if v.lemma == lemma and v.has("ccomp"))
        speaker = grammar.noun_phrase(["person", "kin"], depth=0, pronouns=0.5, bare=True)
        plain = Verb(
            outer_verb.lemma,
            outer_verb.sense,
            outer_verb.forms,
            outer_verb.subject,
            outer_verb.slots,
            adjuncts=False,
        )
        outer = grammar.clause(
            plain,
            [("", speaker.head)],
            Manner(tense=grammar.tense(), inverted=True),
            subject=speaker,
            gap="ccomp",
            adjuncts=False,
        )
        attach(inner.head, outer.head, "ccomp", True)
        outer.draft.add("ARG1", inner.head)
        that = []
        if grammar.chance(0.4):
            that = [attach(Token("that", "IN", "that", "complementiser"), inner.head, "mark", True)]
        tokens = asked.tokens + self._inverted(outer) + that + inner.declarative()
        return self.close(tokens, outer.head, "?")

    def imperative(self) -> List[Token]:
        """`Please do n't open the window , Anna !`"""
        grammar = self.grammar
        verb = grammar.verb_for_subject(["person"], simple=grammar.chance(0.8))
        negative = grammar.chance(0.25)
        manner = Manner("bare")
        clause = grammar.clause(verb, [], manner, depth=1)
        if negative:
            do = Token("do", "VB", "do", "auxiliary", relation="aux")
            short = grammar.chance(0.8)
            no = Token("n't" if short else "not", "RB", "not", "negation", relation="advmod")
            grammar.hang([do, no], clause)
            clause.auxiliaries = [do, no] + clause.auxiliaries
        tokens = clause.declarative()
        if grammar.chance(0.3):
            please = attach(
                Token("please", "UH", "please", "interjection"), clause.head, "discourse", True
            )
            tokens = [please] + tokens
        if grammar.chance(0.25):
            name = grammar.person_name()
            attach(name.head, clause.head, "vocative", True)
            comma = self.mark(",", name.head)
            tokens = (
                name.tokens + [comma] + tokens
                if grammar.chance(0.5)
                else tokens + [comma] + name.tokens
            )
        return self.close(tokens, clause.head, "!" if grammar.chance(0.5) else ".")
