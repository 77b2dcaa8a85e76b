"""Sentences of the embedded sample that have no predicate."""

from typing import List

from sample.constructions import Constructions
from sample.tokens import Token, attach


class Fragments(Constructions):
    """Makes headlines, greetings, lists and single words."""

    def without_predicate(self) -> List[Token]:
        """Headlines, greetings, single words: nothing with a frame."""
        make = self.rng.choices(
            [self._headline, self._greeting, self._single, self._list, self._wish, self._entry],
            [4, 2, 2, 2, 1, 2],
        )[0]
        tokens = make()
        if any(token.predicate is not None for token in tokens):
            return []
        return tokens

    def _headline(self) -> List[Token]:
        grammar = self.grammar
        kind = self.rng.choice(
            ["event", "person", "document", "building", "animal", "group", "abstract"]
        )
        phrase = grammar.common_noun(kind, 0, True)
        if grammar.chance(0.7):
            grammar.modify(
                phrase,
                "in",
                grammar.noun_phrase(["city", "country", "place"], "accusative", 0, 0, bare=True),
            )
        elif grammar.chance(0.5):
            grammar.modify(
                phrase,
                "for",
                grammar.noun_phrase(["person", "group", "animal"], "accusative", 0, 0, bare=True),
            )
        tokens = phrase.tokens
        return tokens if grammar.chance(0.5) else self.close(tokens, phrase.head)

    def _greeting(self) -> List[Token]:
        grammar = self.grammar
        lemma = self.rng.choice(["morning", "evening", "afternoon", "night", "luck", "idea", "job"])
        head = Token(lemma, "NN", lemma, "daytime")
        tokens = [attach(Token("good", "JJ", "good", "adjective.idea"), head, "amod"), head]
        if grammar.chance(0.75):
            name = grammar.person_name()
            attach(name.head, head, "vocative", True)
            tokens += [self.mark(",", name.head)] + name.tokens
        return self.close(tokens, head, "!")

    def _single(self) -> List[Token]:
        grammar = self.grammar
        draw = self.rng.random()
        if draw < 0.5:
            form = grammar.word("interjection")
            head = Token(form, "UH", form.lower(), "interjection")
        elif draw < 0.75:
            first = grammar.word("first")
            head = Token(first, "NNP", first, "first_name")
        else:
            lemma, _ = grammar.pick(
                grammar.words.nouns[self.rng.choice(["topic", "dayname", "season"])],
                name=lambda n: n[0],
            )
            head = Token(lemma, "NNP" if lemma[0].isupper() else "NN", lemma, "topic")
        return (
            [head]
            if grammar.chance(0.5)
            else self.close([head], head, self.rng.choice([".", "!", "?"]))
        )

    def _list(self) -> List[Token]:
        grammar = self.grammar
        kind = self.rng.choice(["food", "animal", "thing", "clothing", "country"])
        first = grammar.noun_phrase([kind], "accusative", 0, 0, bare=True)
        last = grammar.noun_phrase([kind], "accusative", 0, 0, bare=True)
        phrase = grammar.coordinate(first, last)
        if grammar.chance(0.6):
            number = Token(str(self.rng.randrange(1, 30)), "LS", "1", "figure")
            number.lemma = number.form
            attach(number, phrase.head, "nummod")
            stop = self.mark(".", number)
            return [number, stop] + phrase.tokens
        return self.close(phrase.tokens, phrase.head)

    def _wish(self) -> List[Token]:
        grammar = self.grammar
        form = self.rng.choice(["Thanks", "Sorry", "Hello", "Goodbye"])
        head = Token(form, "UH", form.lower(), "interjection")
        name = grammar.person_name()
        attach(name.head, head, "vocative", True)
        return self.close([head, self.mark(",", name.head)] + name.tokens, head, "!")

    def _entry(self) -> List[Token]:
        grammar = self.grammar
        first = grammar.organisation() if grammar.chance(0.5) else grammar.person_name()
        other = grammar.noun_phrase(["money", "city", "country"], "accusative", 0, 0)
        attach(other.head, first.head, "appos")
        colon = attach(Token(":", ":", ":", "punctuation"), other.head, "punct")
        return first.tokens + [colon] + other.tokens
