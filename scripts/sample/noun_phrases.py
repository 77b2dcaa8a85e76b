"""Noun phrases of the embedded sample."""

from typing import List, Sequence

from sample.choices import Choices
from sample.clause import Manner, References
from sample.lexicon import (
    ADJECTIVE_OF,
    COMPARATIVES,
    COMPLEMENTS,
    NOMINALS,
    PEOPLE,
    PRONOUNS,
    Nominal,
)
from sample.tokens import Phrase, PredicateDraft, Token, attach

_SPECIAL_KINDS = {"city", "country", "name", "money", "percent", "crime"}


class NounPhrases(Choices):
    """Makes noun phrases; `Clauses` and `RelativeClauses` give what stands in them."""

    def noun_phrase(
        self,
        kinds: Sequence[str],
        case: str = "nominative",
        depth: int = 2,
        pronouns: float = 0.15,
        bare: bool = False,
    ) -> Phrase:
        """
        # Parameters

        kinds : `Sequence[str]`
            The semantic classes (or lemmas) to choose from.
        case : `str`
            Of a pronoun: `nominative` or `accusative`.
        depth : `int`
            How many levels of modifying phrases and clauses it may have.
        pronouns : `float`
            The probability of a pronoun.
        bare : `bool`
            Without anything after the noun.
        """
        kind = kinds[self.rng.randrange(len(kinds))]
        if kind in _SPECIAL_KINDS:
            return self._special(kind)
        if self.chance(pronouns):
            return self.pronoun(kind, case)
        if kind in ("person", "kin") and self.chance(0.25):
            phrase = self.person_name()
            if depth > 1 and not bare and self.chance(0.15):
                return self._with_apposition(phrase)
            return phrase
        if kind == "group" and self.chance(0.3):
            return self.organisation()
        if kind in ("abstract", "event") and depth > 0 and not bare and self.chance(0.5):
            return self.nominal()
        phrase = self.common_noun(kind, depth, bare)
        if depth > 1 and not bare and phrase.kind != "topic" and self.chance(0.07):
            return self.coordinate(phrase, self.common_noun(kind, 0, True))
        return phrase

    def _special(self, kind: str) -> Phrase:
        if kind == "money":
            return self._money()
        if kind == "percent":
            figure = Token(self.word("figure"), "CD", "", "figure")
            head = Token("percent", "NN", "percent", "unit")
            attach(figure, head, "nummod")
            return Phrase(head, [figure, head], kind, (3, True))
        if kind == "crime":
            word = self.word("crime")
            return Phrase(head := Token(word, "NN", word, "crime"), [head], kind)
        if kind == "name":
            return self.person_name()
        word = self.word(kind)
        return Phrase(head := Token(word, "NNP", word, kind), [head], kind)

    def _money(self) -> Phrase:
        choice = self.rng.randrange(3)
        if choice == 0:
            head, figure = (
                Token("$", "$", "$", "unit"),
                Token(self.word("figure"), "CD", "", "figure"),
            )
            attach(figure, head, "nummod")
            tokens = [head, figure]
            if self.chance(0.3):
                million = Token("million", "CD", "million", "figure")
                tokens.append(attach(million, head, "nummod"))
                attach(figure, million, "compound")
            return Phrase(head, tokens, "money", (3, True))
        if choice == 1:
            lemma, plural = self.pick(self.words.nouns["unit"])
            head = Token(plural, "NNS", lemma, "unit")
            head.form, head.lemma = (
                ("euros", "euro") if lemma in ("kilo", "litre") else (plural, lemma)
            )
            number = Token(self.word("number"), "CD", "", "number")
            attach(number, head, "nummod")
            return Phrase(head, [number, head], "money", (3, True))
        head = Token("money", "NN", "money", "money")
        some = attach(Token(self.rng.choice(["some", "the", "more"]), "DT", ""), head, "det")
        if some.form == "more":
            some.pos, some.relation = "JJR", "amod"
        return Phrase(head, [some, head], "money")

    def pronoun(self, kind: str, case: str) -> Phrase:
        """A personal pronoun for a person or a thing, or an indefinite one."""
        if self.chance(0.12):
            form = self.rng.choice(
                ["somebody", "everyone", "nobody"]
                if kind in PEOPLE | {"group"}
                else ["something", "everything"]
            )
            head = Token(form, "NN", form, "indefinite")
            return Phrase(head, [head], kind, (3, False), is_pronoun=False)
        names = ["I", "you", "he", "she", "we", "they"] if kind in PEOPLE else ["it", "they", "it"]
        name = self.rng.choice(names)
        accusative, _, person, plural = PRONOUNS[name]
        head = Token(name if case == "nominative" else accusative, "PRP", name, "pronoun")
        return Phrase(head, [head], kind, (person, plural), is_pronoun=True)

    def person_name(self) -> Phrase:
        """A first name, perhaps with a last name and a title."""
        first = self.word("first")
        head = Token(first, "NNP", first, "first_name")
        tokens = [head]
        if self.chance(0.4):
            last = self.word("last")
            tokens.append(attach(Token(last, "NNP", last, "last_name"), head, "flat"))
        elif self.chance(0.2):
            last = self.word("last")
            title = self.rng.choice(["Mr.", "Mrs.", "Dr.", "Professor", "President"])
            head = Token(title, "NNP", title, "title")
            tokens = [head, attach(Token(last, "NNP", last, "last_name"), head, "flat")]
        return Phrase(head, tokens, "person")

    def organisation(self) -> Phrase:
        """The name of a company."""
        first, last = self.word("org_first"), self.word("org_last")
        head = Token(last, "NNP", last, "organisation")
        return Phrase(
            head,
            [attach(Token(first, "NNP", first, "org_first"), head, "compound"), head],
            "group",
        )

    def common_noun(self, kind: str, depth: int, bare: bool, singular: bool = False) -> Phrase:
        """A noun with its determiner, adjectives, and what follows it."""
        lemma, plural_form = self.pick(self.words.nouns[kind], name=lambda noun: noun[0])
        kind = self._class_of(lemma, kind)
        countable = plural_form != "-"
        plural = countable and not singular and self.chance(0.25)
        head = Token(plural_form if plural else lemma, "NNS" if plural else "NN", lemma, kind)
        if plural_form == "-" and kind == "ingredient" and lemma.endswith("s"):
            head.pos, plural, countable = "NNS", True, False
            head.lemma = lemma[:-1]
        before = self._adjectives(head, kind) + self._compound(head, kind)
        if before and before[0].pos == "JJS":
            determiners = [attach(Token("the", "DT", "the", "det"), head, "det")]
        else:
            determiners = self._determiners(head, kind, plural, countable, depth)
        before = determiners + before
        phrase = Phrase(head, before + [head], kind, (3, plural))
        if not bare:
            self._post_modify(phrase, depth)
        return phrase

    def _class_of(self, lemma: str, kind: str) -> str:
        """The class of a noun that was asked for by its lemma."""
        if kind != lemma:
            return kind
        for name, nouns in self.words.nouns.items():
            if name != lemma and any(noun[0] == lemma for noun in nouns):
                return name
        return kind

    def _adjectives(self, head: Token, kind: str) -> List[Token]:
        name = ADJECTIVE_OF.get(kind, "object")
        if kind in ("topic", "season", "ingredient", "quality") or not self.chance(0.33):
            return []
        entry = self.word(f"adjective.{name}")
        form, _, pos = entry.partition("/")
        if form in COMPARATIVES and self.chance(0.15):
            form, pos, lemma = COMPARATIVES[form][1], "JJS", form
        elif pos == "VBN":
            irregular = {"broken": "break", "stolen": "steal", "retired": "retire", "fried": "fry"}
            lemma = irregular.get(form, form)
        elif pos == "VBG":
            lemma = form[:-3] + ("e" if form == "surprising" else "")
        else:
            lemma = form
        adjective = attach(Token(form, pos or "JJ", lemma, f"adjective.{name}"), head, "amod")
        if pos or adjective.pos == "JJS" or not self.chance(0.15):
            return [adjective]
        if self.chance(0.5):
            degree = self.word("adverb.degree")
            return [attach(Token(degree, "RB", degree, "degree"), adjective, "advmod"), adjective]
        other = self.word(f"adjective.{name}").partition("/")
        if other[0] == form:
            return [adjective]
        if other[2]:
            return [adjective]
        second = attach(Token(other[0], "JJ", other[0], f"adjective.{name}"), head, "amod")
        return [adjective, second]

    def _compound(self, head: Token, kind: str) -> List[Token]:
        taught = head.lemma in ("teacher", "student")
        if taught or (kind in ("document", "room", "event") and self.chance(0.1)):
            if taught and not self.chance(0.25):
                return []
            source = {"document": "topic", "person": "topic", "room": "building", "event": "topic"}
            lemma, _ = self.pick(self.words.nouns[source[kind]], name=lambda noun: noun[0])
            if lemma == head.lemma:
                return []
            return [attach(Token(lemma, "NN", lemma, source[kind]), head, "compound")]
        if kind in ("group", "building") and self.chance(0.12):
            city = self.word("city")
            return [attach(Token(city, "NNP", city, "city"), head, "compound")]
        if kind in ("vehicle", "food", "art", "thing") and self.chance(0.08):
            nation = self.word("nationality")
            return [attach(Token(nation, "JJ", nation, "nationality"), head, "amod")]
        return []

    def _determiners(
        self, head: Token, kind: str, plural: bool, countable: bool, depth: int
    ) -> List[Token]:
        if kind in ("topic", "quality", "ingredient"):
            return []
        if kind == "season":
            return (
                [attach(Token("the", "DT", "the", "det"), head, "det")] if self.chance(0.3) else []
            )
        if not countable:
            if self.chance(0.4):
                return []
            form = self.rng.choice(["the", "some", "this", "his", "her"])
        elif (kind == "kin" and self.chance(0.8)) or self.chance(0.12):
            form = self.rng.choice(["my", "his", "her", "their", "our", "your"])
            if depth > 0 and self.chance(0.3):
                return self._possessor(head, depth)
        elif plural:
            if self.chance(0.2):
                number = self.word("number")
                numeral = Token(number, "CD", number, "number")
                if self.chance(0.3):
                    numeral.form = numeral.lemma = str(self.rng.randrange(13, 60))
                tokens = [attach(numeral, head, "nummod")]
                if self.chance(0.3):
                    tokens.insert(0, attach(Token("the", "DT", "the", "det"), head, "det"))
                return tokens
            form = self.rng.choice(
                ["the"] * 6 + ["some", "these", "those", "many", "all", "several", "", ""]
            )
            if not form:
                return []
            if form in ("many", "several"):
                return [attach(Token(form, "JJ", form, "quantity"), head, "amod")]
        else:
            form = self.rng.choice(["the"] * 9 + ["a"] * 7 + ["this", "that", "every", "another"])
            if form == "the" and kind in ("event", "person", "document") and self.chance(0.1):
                order = self.word("ordinal")
                return [
                    attach(Token("the", "DT", "the", "det"), head, "det"),
                    attach(Token(order, "JJ", order, "ordinal"), head, "amod"),
                ]
        if form in ("my", "his", "her", "their", "our", "your"):
            name = next(n for n, row in PRONOUNS.items() if row[1] == form)
            return [attach(Token(form, "PRP$", name, "possessive"), head, "nmod:poss")]
        lemma = {"these": "this", "those": "that"}.get(form, form)
        return [attach(Token(form, "DT", lemma, "det"), head, "det")]

    def _possessor(self, head: Token, depth: int) -> List[Token]:
        owner = self.noun_phrase(["person", "kin", "group"], depth=0, pronouns=0.0, bare=True)
        attach(owner.head, head, "nmod:poss")
        return owner.tokens + [self._genitive(owner)]

    def _genitive(self, owner: Phrase) -> Token:
        plural = owner.head.pos == "NNS" and owner.head.form.endswith("s")
        return attach(Token("'" if plural else "'s", "POS", "'s", "genitive"), owner.head, "case")

    def _post_modify(self, phrase: Phrase, depth: int) -> None:
        lemma = phrase.head.lemma
        complements = [c for c in COMPLEMENTS.get(lemma, ()) if c[0] not in self.avoided]
        if complements and self.chance(0.35):
            preposition, kinds = self.rng.choice(complements)
            self.modify(phrase, preposition, self.noun_phrase(kinds, "accusative", depth - 1, 0.03))
            return
        if depth <= 0:
            return
        if self.chance(0.2):
            self._relative_clause(phrase, depth)
        elif phrase.kind in PEOPLE and self.chance(0.06):
            attribute = self.common_noun("attribute", 0, True)
            if self.pair_allowed(lemma, attribute.head.lemma):
                self.modify(phrase, "with", attribute)
        elif phrase.kind in ("building", "room") and self.chance(0.12):
            place = self.noun_phrase(["place", "city", "country"], depth=depth - 1, pronouns=0)
            self.modify(phrase, self.preposition_of_place(place), place)
        elif phrase.kind == "event" and self.chance(0.15):
            self.modify(phrase, "on", self.day())
        elif phrase.kind in ("document", "vehicle", "art", "thing") and self.chance(0.06):
            self._participle(phrase)
        elif phrase.kind in PEOPLE and self.chance(0.05):
            self._gerund_modifier(phrase, depth)
        elif phrase.kind in ("building", "group", "document") and self.chance(0.15):
            self._parenthesis(phrase)

    def modify(self, phrase: Phrase, preposition: str, other: Phrase) -> None:
        """Adds `preposition other` after a noun, as its modifier."""
        case = Token(preposition, "IN", preposition, "preposition")
        attach(case, other.head, "case")
        attach(other.head, phrase.head, "nmod")
        phrase.tokens.extend([case] + other.tokens)

    def _parenthesis(self, phrase: Phrase) -> None:
        if self.chance(0.5):
            year = self.word("year")
            inner = Phrase(head := Token(year, "CD", year, "year"), [head])
        else:
            inner = self.organisation() if self.chance(0.5) else self.person_name()
        left = Token("-LRB-", "-LRB-", "-LRB-", "bracket")
        right = Token("-RRB-", "-RRB-", "-RRB-", "bracket")
        attach(left, inner.head, "punct")
        attach(right, inner.head, "punct")
        attach(inner.head, phrase.head, "appos" if inner.head.pos != "CD" else "nmod")
        phrase.tokens.extend([left] + inner.tokens + [right])

    def _with_apposition(self, phrase: Phrase) -> Phrase:
        other = self.common_noun("person", 0, True, singular=True)
        attach(other.head, phrase.head, "appos")
        commas = [attach(Token(",", ",", ",", "comma"), other.head, "punct") for _ in range(2)]
        phrase.tokens.extend([commas[0]] + other.tokens + [commas[1]])
        return phrase

    def coordinate(self, first: Phrase, second: Phrase, word: str = "and") -> Phrase:
        """`first and second`, headed by the first."""
        link = Token(word, "CC", word, "conjunction")
        attach(second.head, first.head, "conj")
        attach(link, second.head, "cc")
        return Phrase(first.head, first.tokens + [link] + second.tokens, first.kind, (3, True))

    def nominal(self) -> Phrase:
        """A noun that is a predicate, with its arguments: `the mayor 's decision to leave`."""
        noun: Nominal = self.pick(NOMINALS, name=lambda item: item.lemma)
        head = Token(noun.lemma, "NN", noun.lemma, "nominal")
        head.predicate = PredicateDraft(noun.lemma, noun.sense, verbal=False)
        references: References = []
        before: List[Token]
        if self.chance(0.7):
            if self.chance(0.25) and noun.owner[1][0] in ("person", "kin"):
                form = self.rng.choice(["his", "her", "their", "my"])
                name = next(n for n, row in PRONOUNS.items() if row[1] == form)
                owner = Token(form, "PRP$", name, "possessive")
                before = [owner]
            else:
                phrase = self.noun_phrase(noun.owner[1], depth=0, pronouns=0, bare=True)
                owner = phrase.head
                before = phrase.tokens + [self._genitive(phrase)]
            attach(owner, head, "nmod:poss")
            head.predicate.add(noun.owner[0], owner)
            references = [("", owner)]
        else:
            before = [attach(Token("the", "DT", "the", "det"), head, "det")]
        phrase = Phrase(head, before + [head], "abstract")
        if self.chance(0.2):
            form = self.word("adjective.idea").partition("/")[0]
            adjective = attach(Token(form, "JJ", form, "adjective.idea"), head, "amod")
            phrase.tokens.insert(-1, adjective)
            head.predicate.add("ARGM-ADJ", adjective)
        self._nominal_arguments(phrase, noun, references)
        return phrase

    def _nominal_arguments(self, phrase: Phrase, noun: Nominal, references: References) -> None:
        head = phrase.head
        assert head.predicate is not None
        if noun.infinitive and self.chance(0.85):
            verb = self.verb_for_subject(["person"], simple=True)
            clause = self.clause(verb, references, Manner("infinitive"), depth=0)
            attach(clause.head, head, "acl")
            phrase.tokens.extend(clause.declarative())
            head.predicate.add(noun.infinitive, clause.head)
        elif noun.clause and self.chance(0.85):
            clause = self.statement(depth=0)
            attach(clause.head, head, "acl")
            that = attach(Token("that", "IN", "that", "complementiser"), clause.head, "mark", True)
            phrase.tokens.extend([that] + clause.declarative())
            head.predicate.add(noun.clause, clause.head)
        for slot in noun.slots:
            if self.chance(0.8):
                other = self.noun_phrase(slot.fillers, "accusative", 0, 0.05, bare=True)
                self.modify(phrase, slot.relation, other)
                head.predicate.add(slot.role, other.head)
