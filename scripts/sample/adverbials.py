"""Adverbials of the embedded sample: when, where, how and why."""

from typing import List, Optional, Tuple

from sample.choices import Choices
from sample.clause import Clause, Manner, References
from sample.lexicon import GRADABLE, IMMOBILE, LASTING, PREPOSITION_OF_PLACE
from sample.tokens import Phrase, Token, attach


class Adverbials(Choices):
    """Adds adjuncts to clauses, each with its role."""

    def day(self) -> Phrase:
        """`Monday`, perhaps `Monday morning`."""
        lemma, _ = self.pick(self.words.nouns["dayname"], name=lambda noun: noun[0])
        head = Token(lemma, "NNP", lemma, "dayname")
        if self.chance(0.2):
            part, _ = self.pick(self.words.nouns["daytime"], name=lambda noun: noun[0])
            attach(head, noun := Token(part, "NN", part, "daytime"), "compound")
            return Phrase(noun, [head, noun], "dayname")
        return Phrase(head, [head], "dayname")

    def time_phrase(
        self, manner: Optional[Manner] = None, lasting: bool = False
    ) -> Tuple[str, Phrase]:
        """
        # Parameters

        manner : `Manner`, optional
            A year is for the past only.
        lasting : `bool`
            Whether it may say how long.

        # Returns

        `Tuple[str, Phrase]`
            A preposition and a time.
        """
        draw = self.rng.randrange(8)
        if draw < 2:
            return "on", self.day()
        if draw == 2:
            if self.chance(0.5) and (manner is None or manner.time == "past"):
                form = self.word("year")
                head = Token(form, "CD", form, "year")
            else:
                form, _ = self.pick(self.words.nouns["month"], name=lambda noun: noun[0])
                head = Token(form, "NNP", form, "month")
            return "in", Phrase(head, [head], "year")
        if draw == 3:
            form, _ = self.pick(self.words.nouns["moment"], name=lambda noun: noun[0])
            return "at", Phrase(head := Token(form, "NN", form, "moment"), [head], "moment")
        if draw < 6 and lasting:
            return "for", self._periods()
        if draw < 7:
            event = self.common_noun("event", 0, True, singular=True)
            return self.rng.choice(["before", "after", "during"]), event
        lemma, _ = self.pick(self.words.nouns["daytime"], name=lambda noun: noun[0])
        if lemma == "night":
            lemma = "morning"
        head = Token(lemma, "NN", lemma, "daytime")
        the = attach(Token("the", "DT", "the", "det"), head, "det")
        return "in", Phrase(head, [the, head], "daytime")

    def _periods(self) -> Phrase:
        """`three weeks`."""
        lemma, plural = self.pick(self.words.nouns["period"], name=lambda noun: noun[0])
        number = self.word("number")
        head = Token(plural, "NNS", lemma, "period")
        numeral = attach(Token(number, "CD", number, "number"), head, "nummod")
        return Phrase(head, [numeral, head], "period")

    def adverbials(self, clause: Clause, depth: int) -> None:
        """Adds up to three adjuncts, each with its role."""
        verb = clause.verb
        assert verb is not None
        if self.chance(0.15):
            self._medial_adverb(clause)
        if verb.manner and self.chance(0.12):
            self._manner(clause)
        elif verb.lemma in GRADABLE and self.chance(0.15):
            self._extent(clause)
        has_place = any(
            slot.role in ("ARG2", "ARG4", "ARGM-LOC", "ARGM-DIR", "ARGM-GOL") for slot in verb.slots
        )
        if not has_place and clause.object_kind not in IMMOBILE and self.chance(0.16):
            self.add_place(clause)
        if clause.object_kind != "event" and self.chance(0.25):
            self.add_time(clause)
        if depth > 0 and clause.manner.form == "finite" and self.chance(0.12):
            self._subordinate(clause, depth)

    def _medial_adverb(self, clause: Clause) -> None:
        manner = clause.manner
        if manner.form != "finite" or clause.verb is None:
            return
        form = self.word("adverb.frequency")
        if manner.negative and form not in ("always", "often", "usually"):
            return
        if manner.progressive and form not in ("always", "already", "still"):
            return
        token = attach(Token(form, "RB", form, "frequency"), clause.head, "advmod", True)
        clause.auxiliaries.append(token)
        clause.draft.add("ARGM-TMP", token)

    def _extent(self, clause: Clause) -> None:
        form = self.word("adverb.extent")
        token = attach(Token(form, "RB", form, "extent"), clause.head, "advmod", True)
        clause.core.insert(clause.core.index(clause.head), token)
        clause.draft.add("ARGM-EXT", token)

    def _manner(self, clause: Clause) -> None:
        if self.chance(0.3):
            lemma, _ = self.pick(self.words.nouns["quality"], name=lambda noun: noun[0])
            head = Token(lemma, "NN", lemma, "quality")
            tokens = [head]
            if self.chance(0.3):
                tokens.insert(
                    0, attach(Token("great", "JJ", "great", "adjective.idea"), head, "amod")
                )
            self.prepositional(clause, "with", Phrase(head, tokens), "ARGM-MNR")
            return
        form = self.word("adverb.manner")
        token = attach(Token(form, "RB", form, "manner"), clause.head, "advmod", True)
        clause.draft.add("ARGM-MNR", token)
        if clause.manner.form == "finite" and not clause.manner.passive and self.chance(0.3):
            clause.auxiliaries.append(token)
        else:
            clause.tail.append(token)

    def preposition_of_place(self, phrase: Phrase) -> str:
        """`in the park`, `on the beach`, `at the station`."""
        special = {
            "beach": "on",
            "square": "on",
            "market": "at",
            "roof": "on",
            "tower": "in",
            "garage": "in",
            "castle": "in",
            "bridge": "on",
        }
        return special.get(phrase.head.lemma) or PREPOSITION_OF_PLACE.get(phrase.kind, "in")

    def add_place(self, clause: Clause) -> None:
        """Adds where it happened."""
        if self.chance(0.1):
            form = self.word("adverb.place")
            token = attach(Token(form, "RB", form, "place_adverb"), clause.head, "advmod", True)
            clause.tail.append(token)
            clause.draft.add("ARGM-LOC", token)
            return
        phrase = self.noun_phrase(
            ["place", "building", "room", "city", "country"], "accusative", 0, 0, bare=True
        )
        preposition = self.preposition_of_place(phrase)
        if phrase.kind in ("place", "building") and self.chance(0.2):
            preposition = self.rng.choice(["near", "behind", "outside"])
        self.prepositional(clause, preposition, phrase, "ARGM-LOC")

    def add_time(self, clause: Clause) -> None:
        """Adds when it happened, in keeping with the tense."""
        draw = self.rng.random()
        if draw < 0.25 and clause.manner.time != "any":
            self._time_adverb(clause)
        elif draw < 0.4 and clause.manner.time != "any":
            self._bare_period(clause)
        elif draw < 0.5 and clause.manner.time == "past" and not clause.manner.perfect:
            phrase = self._periods()
            ago = attach(Token("ago", "RB", "ago", "time_adverb"), clause.head, "advmod", True)
            attach(phrase.head, ago, "obl:npmod")
            clause.tail.extend(phrase.tokens + [ago])
            clause.draft.add("ARGM-TMP", ago)
        else:
            lasting = clause.verb is not None and clause.verb.lemma in LASTING
            preposition, phrase = self.time_phrase(clause.manner, lasting)
            self.prepositional(clause, preposition, phrase, "ARGM-TMP")

    def _time_adverb(self, clause: Clause) -> None:
        form, _, pos = self.word(f"adverb.{clause.manner.time}").partition("/")
        relation = "obl:tmod" if pos else "advmod"
        token = attach(Token(form, pos or "RB", form, "time_adverb"), clause.head, relation, True)
        clause.tail.append(token)
        clause.draft.add("ARGM-TMP", token)

    def _bare_period(self, clause: Clause) -> None:
        """`last week`, `every Monday`."""
        nouns = self.words.nouns["period"][3:] + self.words.nouns["dayname"]
        lemma, _ = self.pick(nouns, name=lambda noun: noun[0])
        head = Token(lemma, "NNP" if lemma[0].isupper() else "NN", lemma, "period")
        which = {"past": "last", "future": "next", "present": "every"}[clause.manner.time]
        if self.chance(0.2):
            which = "this"
        first = Token(which, "JJ" if which in ("last", "next") else "DT", which, "det")
        attach(first, head, "amod" if first.pos == "JJ" else "det")
        attach(head, clause.head, "obl:tmod", True)
        clause.tail.extend([first, head])
        clause.draft.add("ARGM-TMP", head)

    def subordinate(
        self, depth: int, references: Optional[References] = None
    ) -> Tuple[List[Token], Clause, str]:
        """
        # Returns

        `Tuple[List[Token], Clause, str]`
            The tokens of an adverbial clause, the clause, and the role that it plays.
        """
        draw = self.rng.random()
        if references and draw < 0.25:
            verb = self.verb_for_subject(["person"], simple=True)
            inner = self.clause(verb, references, Manner("infinitive"), depth=depth - 1)
            return inner.declarative(), inner, "ARGM-PRP"
        if references and draw < 0.4:
            verb = self.verb_for_subject(["person"], simple=True)
            inner = self.clause(verb, references, Manner("gerund"), depth=depth - 1)
            form = self.rng.choice(["after", "before", "without", "by"])
            mark = attach(Token(form, "IN", form, "subordinator"), inner.head, "mark", True)
            role = {"without": "ARGM-MNR", "by": "ARGM-MNR"}.get(form, "ARGM-TMP")
            return [mark] + inner.declarative(), inner, role
        form, role = self.rng.choice(
            [
                ("when", "ARGM-TMP"),
                ("because", "ARGM-CAU"),
                ("although", "ARGM-ADV"),
                ("if", "ARGM-ADV"),
                ("while", "ARGM-TMP"),
                ("before", "ARGM-TMP"),
                ("after", "ARGM-TMP"),
                ("until", "ARGM-TMP"),
                ("since", "ARGM-CAU"),
                ("unless", "ARGM-ADV"),
            ]
        )
        inner = self.statement(depth=max(0, depth - 1))
        if form == "when":
            mark = attach(Token(form, "WRB", form, "subordinator"), inner.head, "advmod", True)
            inner.draft.add("R-ARGM-TMP", mark)
        else:
            mark = attach(Token(form, "IN", form, "subordinator"), inner.head, "mark", True)
        return [mark] + inner.declarative(), inner, role

    def _subordinate(self, clause: Clause, depth: int) -> None:
        agent = (
            clause.references
            if not clause.manner.passive
            and clause.verb is not None
            and (clause.verb.subject.role == "ARG0")
            else None
        )
        people = any(
            t.kind in ("person", "kin", "first_name", "pronoun", "title")
            for _, t in clause.references
        )
        tokens, inner, role = self.subordinate(depth - 1, agent if people else None)
        attach(inner.head, clause.head, "advcl", True)
        clause.tail.extend(tokens)
        clause.draft.add(role, inner.head)

    def instrument(self, clause: Clause) -> bool:
        """Adds `with a telescope` to a verb that takes one: the verb's, not the object's."""
        verb = clause.verb
        assert verb is not None
        for _ in range(8):
            tool = self.common_noun(verb.instrument, 0, True, singular=self.chance(0.85))
            if self.pair_allowed(verb.lemma, tool.head.lemma):
                self.prepositional(clause, "with", tool, "ARGM-MNR", core=True)
                return True
        return False
