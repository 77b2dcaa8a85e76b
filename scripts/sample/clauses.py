"""Clauses of the embedded sample: a verb, its arguments, and their roles."""

from typing import Dict, List, Optional, Sequence, Tuple

from sample.choices import Choices
from sample.clause import Clause, Manner, References
from sample.lexicon import ADJECTIVE_OF, COMPARATIVES, IMMOBILE, PEOPLE, PRONOUNS, VERBS, Slot, Verb
from sample.tokens import Phrase, PredicateDraft, Token, attach

_CLITICS = {"will": "'ll", "would": "'d", "have": "'ve", "is": "'s", "are": "'re", "am": "'m"}


class Clauses(Choices):
    """Makes clauses of all forms."""

    def avoid_reflexive(self, phrase: Phrase, references: References) -> None:
        """Puts `them` for an object that is the subject again (`we warned us`)."""
        same = {"I": "we", "we": "I"}
        for _, token in references:
            if phrase.is_pronoun and phrase.head.lemma in (token.lemma, same.get(token.lemma)):
                name = "she" if token.lemma == "they" else "they"
                phrase.head.form, phrase.head.lemma = PRONOUNS[name][0], name

    def hang(self, auxiliaries: Sequence[Token], clause: Clause) -> None:
        """Attaches auxiliaries to the clause and gives the frames and roles that they bring."""
        senses = {"have": "01", "be": "03", "do": "01", "get": "03"}
        for token in auxiliaries:
            attach(token, clause.head, token.relation, True)
            if token.pos == "MD":
                clause.draft.add("ARGM-MOD", token)
            elif token.kind == "negation":
                clause.draft.add("ARGM-NEG", token)
            elif token.lemma in senses:
                token.predicate = PredicateDraft(token.lemma, senses[token.lemma], auxiliary=True)

    def statement(self, depth: int = 2, kinds: Sequence[str] = (), adjuncts: bool = True) -> Clause:
        """A finite clause with a subject of its own."""
        if not kinds and self.chance(0.13):
            return self.copular_statement(depth)
        if not kinds and self.chance(0.03):
            return self.existential(depth)
        verbs = [v for v in VERBS if not kinds or any(k in v.subject.fillers for k in kinds)]
        if depth <= 0:
            verbs = [v for v in verbs if not any(s.relation in ("ccomp", "xcomp") for s in v.slots)]
        verb = self.pick(verbs, name=lambda v: f"{v.lemma}.{v.sense}")
        return self.statement_with(verb, depth, adjuncts)

    def statement_with(
        self, verb: Verb, depth: int = 2, adjuncts: bool = True, manner: Optional[Manner] = None
    ) -> Clause:
        """A finite clause of a given verb, active or passive."""
        manner = manner or self.manner(verb)
        slot = verb.subject
        if manner.passive:
            slot = verb.slot("iobj") if verb.has("iobj") else verb.slot("obj")
        subject = self.noun_phrase(slot.fillers, depth=depth, pronouns=0.25)
        return self.clause(
            verb, [("", subject.head)], manner, subject=subject, depth=depth, adjuncts=adjuncts
        )

    def clause(
        self,
        verb: Verb,
        references: References,
        manner: Manner,
        subject: Optional[Phrase] = None,
        gap: str = "",
        gap_references: Sequence[Tuple[str, Token]] = (),
        depth: int = 1,
        adjuncts: bool = True,
    ) -> Clause:
        """
        # Parameters

        verb : `Verb`
        references : `References`
            Who its subject is, whether or not it stands in this clause.
        manner : `Manner`
        subject : `Phrase`, optional
            The subject, where it stands in this clause.
        gap : `str`
            The relation of an argument that stands elsewhere, at `gap_references`.
        depth : `int`
            How many levels of clauses and modifying phrases may be below.
        adjuncts : `bool`
            Whether to add adverbials.
        """
        agreement = subject.agreement if subject is not None else (3, False)
        auxiliaries, head = self.verb_group(verb.forms, manner, agreement)
        head.relation, head.kind = (
            "root",
            f"verb.{verb.slots[0].relation if verb.slots else 'none'}",
        )
        head.predicate = PredicateDraft(verb.lemma, verb.sense)
        clause = Clause(
            head,
            head,
            references,
            verb=verb,
            agreement=agreement,
            manner=manner,
            auxiliaries=auxiliaries,
        )
        if subject is not None:
            attach(subject.head, head, "nsubj:pass" if manner.passive else "nsubj", True)
            clause.subject = list(subject.tokens)
            self._cliticise(clause, subject)
        self.hang(auxiliaries, clause)
        self.add_subject_role(clause)
        clause.core = [head]
        for prefix, token in gap_references:
            slot = verb.slot(gap)
            clause.draft.add(prefix + slot.role, token)
        self.add_complements(clause, gap, depth)
        if adjuncts and verb.adjuncts:
            self.adverbials(clause, depth)
        elif adjuncts and self.chance(0.12):
            self._medial_adverb(clause)
        return clause

    def _cliticise(self, clause: Clause, subject: Phrase) -> None:
        """`she will` to `she 'll`."""
        if not subject.is_pronoun or not clause.auxiliaries or clause.manner.inverted:
            return
        first = clause.auxiliaries[0]
        followed = len(clause.auxiliaries) > 1 and clause.auxiliaries[1].form == "n't"
        if first.form in _CLITICS and not followed and self.chance(0.35):
            if subject.head.lemma not in ("I", "he", "she", "it", "we", "you", "they"):
                return
            if first.form == "have" and first.pos == "VB":
                return
            first.form = _CLITICS[first.form]

    def add_subject_role(self, clause: Clause) -> None:
        verb = clause.verb
        assert verb is not None
        role = verb.subject.role
        if clause.manner.passive:
            role = (verb.slot("iobj") if verb.has("iobj") else verb.slot("obj")).role
        for prefix, token in clause.references:
            clause.draft.add(prefix + role, token)

    def add_complements(self, clause: Clause, gap: str, depth: int) -> None:
        verb, manner = clause.verb, clause.manner
        assert verb is not None
        promoted = ""
        if manner.passive:
            promoted = "iobj" if verb.has("iobj") else "obj"
        phrases: Dict[str, Phrase] = {}
        for slot in verb.slots:
            if slot.relation in (gap, promoted) or (slot.optional and not self.chance(0.4)):
                continue
            if slot.relation in ("iobj", "obj"):
                phrases[slot.relation] = self._object(clause, slot, depth)
        self._particle(clause, phrases.get("obj"))
        if manner.passive and self.chance(0.4):
            self._agent(clause, depth)
        if verb.instrument and not gap and self.chance(0.1):
            self.instrument(clause)
        if manner.passive:
            controllers = clause.references
        elif "obj" in phrases:
            controllers = [("", phrases["obj"].head)]
        else:
            controllers = self._gap_controllers(clause, gap)
        for slot in verb.slots:
            if slot.relation in (gap, promoted, "obj", "iobj"):
                continue
            if slot.optional and not self.chance(0.4):
                continue
            if slot.relation.startswith("obl."):
                self._oblique(clause, slot, depth)
            elif slot.relation == "xcomp":
                self._open_clause(clause, slot, controllers, depth)
            elif slot.relation == "ccomp":
                self._closed_clause(clause, slot, depth)

    def _gap_controllers(self, clause: Clause, gap: str) -> References:
        if gap != "obj":
            return []
        assert clause.verb is not None
        role = clause.verb.slot("obj").role
        return [
            ("R-" if name.startswith("R-") else "", token)
            for name, token in clause.draft.arguments
            if name in (role, f"R-{role}")
        ]

    def _object(self, clause: Clause, slot: Slot, depth: int) -> Phrase:
        pronouns = 0.5 if slot.relation == "iobj" else 0.1
        assert clause.verb is not None
        # Two pronouns in a row ("gave him it") are avoided.
        if slot.relation == "obj" and clause.verb.has("iobj"):
            pronouns = 0.0
        # "sold the letter from the bank to ...": what the verb takes is not the noun's as well.
        outer, self.avoided = self.avoided, clause.verb.prepositions
        phrase = self.noun_phrase(
            slot.fillers,
            "accusative",
            depth - 1 if slot.relation == "obj" else 0,
            pronouns,
            bare=slot.relation == "iobj",
        )
        self.avoided = outer
        self.avoid_reflexive(phrase, clause.references)
        attach(phrase.head, clause.head, slot.relation, True)
        clause.core.extend(phrase.tokens)
        clause.draft.add(slot.role, phrase.head)
        if slot.relation == "obj":
            clause.object_kind = phrase.kind
        return phrase

    def _particle(self, clause: Clause, phrase: Optional[Phrase]) -> None:
        assert clause.verb is not None
        if not clause.verb.particle:
            return
        particle = Token(clause.verb.particle, "RP", clause.verb.particle, "particle")
        attach(particle, clause.head, "compound:prt", True)
        late = phrase is not None and (
            phrase.is_pronoun or (len(phrase.tokens) < 4 and self.chance(0.5))
        )
        where = len(clause.core) if late else clause.core.index(clause.head) + 1
        clause.core.insert(where, particle)
        clause.draft.add("C-V", particle)

    def _agent(self, clause: Clause, depth: int) -> None:
        assert clause.verb is not None
        agent = self.noun_phrase(clause.verb.subject.fillers, "accusative", depth - 1, 0.03)
        self.prepositional(clause, "by", agent, clause.verb.subject.role, "obl:agent", core=True)

    def prepositional(
        self,
        clause: Clause,
        preposition: str,
        phrase: Phrase,
        role: str,
        relation: str = "obl",
        core: bool = False,
    ) -> None:
        """Adds `preposition phrase` to a clause, as an argument or an adjunct of its predicate."""
        case = Token(preposition, "IN", preposition, "preposition")
        attach(case, phrase.head, "case")
        attach(phrase.head, clause.head, relation, True)
        (clause.core if core else clause.tail).extend([case] + phrase.tokens)
        clause.draft.add(role, phrase.head)

    def _oblique(self, clause: Clause, slot: Slot, depth: int) -> None:
        phrase = self.noun_phrase(slot.fillers, "accusative", depth - 1, 0.08)
        preposition = slot.relation.split(".")[1]
        self.prepositional(clause, preposition, phrase, slot.role, core=True)

    def _open_clause(self, clause: Clause, slot: Slot, controllers: References, depth: int) -> None:
        """A complement without a subject of its own: an infinitive, or an adjective or noun."""
        if "state" in slot.fillers:
            head = self._state(clause, slot)
            clause.draft.add(slot.role, head)
            return
        shared = clause.references if slot.fillers[0] != "object" else controllers
        kinds = ["person"] if slot.fillers[0] == "object" else list(self._subject_kinds(clause))
        verb = self.verb_for_subject(kinds, simple=depth <= 1 or not self.chance(0.2))
        form = "infinitive"
        assert clause.verb is not None
        if clause.verb.lemma == "start" and verb.progressive and self.chance(0.6):
            form = "gerund"
        inner = self.clause(verb, shared, Manner(form), depth=depth - 1)
        if form == "infinitive" and self.chance(0.06):
            self.negate(inner)
        attach(inner.head, clause.head, "xcomp", True)
        clause.core.extend(inner.declarative())
        # "Appear to listen !": nothing that this could continue.
        role = slot.role if clause.references else slot.role.replace("C-", "")
        clause.draft.add(role, inner.head)

    def negate(self, inner: Clause) -> None:
        token = Token("not", "RB", "not", "negation")
        attach(token, inner.head, "advmod", True)
        inner.auxiliaries.insert(0, token)
        inner.draft.add("ARGM-NEG", token)

    def _subject_kinds(self, clause: Clause) -> Tuple[str, ...]:
        assert clause.verb is not None
        for _, token in clause.references:
            if token.kind in ("animal", "group", "vehicle", "kin"):
                return (token.kind,)
        return ("person",)

    def _state(self, clause: Clause, slot: Slot) -> Token:
        if "role" in slot.fillers and self.chance(0.5):
            phrase = self.common_noun("person", 1, False)
            attach(phrase.head, clause.head, "xcomp", True)
            clause.core.extend(phrase.tokens)
            return phrase.head
        form = self.word("adjective.state")
        head = attach(Token(form, "JJ", form, "adjective.state"), clause.head, "xcomp", True)
        if self.chance(0.25):
            degree = self.word("adverb.degree")
            clause.core.append(attach(Token(degree, "RB", degree, "degree"), head, "advmod"))
        clause.core.append(head)
        return head

    def _closed_clause(self, clause: Clause, slot: Slot, depth: int) -> None:
        """A complement with its own subject: `that she left`, `whether she left`, `why ...`."""
        inner = self.statement(depth=max(0, depth - 1))
        attach(inner.head, clause.head, "ccomp", True)
        clause.draft.add(slot.role, inner.head)
        style = self.rng.choice(slot.fillers)
        opening: List[Token] = []
        if style == "that":
            if self.chance(0.65):
                opening = [
                    attach(Token("that", "IN", "that", "complementiser"), inner.head, "mark", True)
                ]
        elif self.chance(0.6):
            form = self.rng.choice(["whether", "if"])
            opening = [attach(Token(form, "IN", form, "complementiser"), inner.head, "mark", True)]
        else:
            form, role = self.rng.choice(
                [("why", "ARGM-CAU"), ("how", "ARGM-MNR"), ("when", "ARGM-TMP")]
            )
            opening = [
                attach(Token(form, "WRB", form, "interrogative"), inner.head, "advmod", True)
            ]
            inner.draft.add(role, opening[0])
        clause.core.extend(opening + inner.declarative())

    def copular_statement(self, depth: int) -> Clause:
        """`She is a teacher`, with a subject of its own."""
        kinds = ["person", "kin", "animal", "abstract", "food", "building", "event"]
        subject = self.noun_phrase(kinds, depth=depth, pronouns=0.3)
        manner = self.manner()
        return self.copular(subject, [("", subject.head)], manner, depth)

    def copular(
        self, subject: Phrase, references: References, manner: Manner, depth: int
    ) -> Clause:
        """
        # Parameters

        subject : `Phrase`
            It may be a relative pronoun; its `kind` says what can be said of it.
        references : `References`
        manner : `Manner`
        depth : `int`
        """
        phrase, case = self._predicative(subject, depth)
        return self.copular_clause(subject, references, manner, phrase, case)

    def copular_clause(
        self,
        subject: Phrase,
        references: References,
        manner: Manner,
        phrase: Phrase,
        case: List[Token],
    ) -> Clause:
        """A copular clause of a given predicate: a phrase and the preposition before it."""
        manner.progressive = manner.passive = False
        auxiliaries, be = self.verb_group(
            ("be", "is", "was", "been", "being"), manner, subject.agreement
        )
        head = phrase.head
        head.kind = "predicative"
        be.predicate = PredicateDraft("be", "01")
        be.kind = "copula"
        attach(be, head, "cop", True)
        clause = Clause(
            head,
            be,
            references,
            subject=list(subject.tokens),
            agreement=subject.agreement,
            manner=manner,
        )
        # A finite `be` is its own auxiliary: `not` follows it and questions move it.
        clause.auxiliaries = auxiliaries + [be]
        if manner.negative and auxiliaries and auxiliaries[0].kind == "negation":
            clause.auxiliaries = [be] + auxiliaries
        attach(subject.head, head, "nsubj", True)
        self.hang(auxiliaries, clause)
        for prefix, token in references:
            clause.draft.add(f"{prefix}ARG1", token)
        clause.draft.add("ARG2", head)
        clause.core = case + phrase.tokens
        self._cliticise(clause, subject)
        if self.chance(0.15):
            self.add_time(clause)
        return clause

    def _predicative(self, subject: Phrase, depth: int) -> Tuple[Phrase, List[Token]]:
        kind = subject.kind
        draw = self.rng.random()
        if kind in PEOPLE and draw < 0.35:
            phrase = self.common_noun("person", min(depth, 1), False)
            if subject.agreement[1] == phrase.agreement[1]:
                return phrase, []
        if draw < 0.55:
            kinds = (
                ["room"] if kind in ("food", "abstract") else ["place", "building", "room", "city"]
            )
            if kind not in ("building", "event", "abstract"):
                phrase = self.noun_phrase(kinds, "accusative", 0, 0, bare=True)
                place = self.preposition_of_place(phrase)
                case = attach(Token(place, "IN", place, "preposition"), phrase.head, "case")
                return phrase, [case]
        name = ADJECTIVE_OF.get(kind, "object")
        form = self.word("adjective.state" if kind in PEOPLE else f"adjective.{name}").partition(
            "/"
        )
        if form[2] or form[0] in ("annual", "local", "national", "final", "recent"):
            form = ("new", "", "")
        head = Token(form[0], "JJ", form[0], "adjective")
        tokens = [head]
        draw = self.rng.random()
        if form[0] in COMPARATIVES and draw < 0.5:
            head.form, head.pos = COMPARATIVES[form[0]][0], "JJR"
            other = self.noun_phrase(
                [kind if kind not in PEOPLE else "person"], "accusative", 0, 0, bare=True
            )
            than = attach(Token("than", "IN", "than", "preposition"), other.head, "case")
            attach(other.head, head, "obl")
            tokens += [than] + other.tokens
        elif draw < 0.4:
            degree = self.word("adverb.degree")
            tokens.insert(0, attach(Token(degree, "RB", degree, "degree"), head, "advmod"))
        elif draw < 0.55:
            other = self.word(
                "adjective.state" if kind in PEOPLE else f"adjective.{name}"
            ).partition("/")
            if not other[2] and other[0] != form[0]:
                second = attach(Token(other[0], "JJ", other[0], "adjective"), head, "conj")
                link = attach(Token("and", "CC", "and", "conjunction"), second, "cc")
                tokens += [link, second]
        return Phrase(head, tokens, "state"), []

    def existential(self, depth: int) -> Clause:
        """`There are three dogs in the garden`."""
        kind = self.rng.choice(["animal", "person", "thing", "document", "abstract", "vehicle"])
        phrase = self.common_noun(kind, max(0, depth - 1), False)
        if phrase.tokens[0].form in ("the", "this", "that", "every", "these", "those", "all", "no"):
            phrase.tokens[0].form = "some" if phrase.agreement[1] else "a"
            phrase.tokens[0].lemma, phrase.tokens[0].pos = phrase.tokens[0].form, "DT"
        manner = Manner(tense=self.tense(), negative=self.chance(0.1))
        auxiliaries, be = self.verb_group(
            ("be", "is", "was", "been", "being"), manner, (3, phrase.agreement[1])
        )
        be.relation, be.kind = "root", "existential"
        be.predicate = PredicateDraft("be", "02")
        there = attach(Token("there", "EX", "there", "expletive"), be, "expl", True)
        clause = Clause(
            be, be, [], subject=[there], manner=manner, agreement=(3, phrase.agreement[1])
        )
        clause.auxiliaries = [be] + auxiliaries
        self.hang(auxiliaries, clause)
        attach(phrase.head, be, "nsubj", True)
        clause.draft.add("ARG1", phrase.head)
        clause.core = list(phrase.tokens)
        if self.chance(0.7) and kind not in IMMOBILE:
            self.add_place(clause)
        return clause
