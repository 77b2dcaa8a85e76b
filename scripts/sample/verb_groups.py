"""Verbs and their auxiliaries in the embedded sample."""

from typing import List, Optional, Sequence, Tuple

from sample.choices import Choices
from sample.clause import Manner
from sample.lexicon import NO_PASSIVE, VERBS, Verb
from sample.tokens import Token

_CONTRACTED = {
    "can": "ca",
    "will": "wo",
    "do": "do",
    "does": "does",
    "did": "did",
    "is": "is",
    "are": "are",
    "was": "was",
    "were": "were",
    "has": "has",
    "have": "have",
    "had": "had",
    "could": "could",
    "would": "would",
    "should": "should",
}
_MODALS = ("can", "will", "could", "would", "should", "may", "might", "must")


class VerbGroups(Choices):
    """Chooses verbs, and inflects them with their auxiliaries."""

    def verb_for_subject(self, kinds: Sequence[str], simple: bool = False) -> Verb:
        """A verb that one of these classes can be the subject of; `simple`: without a clause."""

        def fits(verb: Verb) -> bool:
            if not any(kind in verb.subject.fillers for kind in kinds):
                return False
            clausal = any(s.relation in ("ccomp", "xcomp") for s in verb.slots)
            return not (simple and clausal)

        verbs = [verb for verb in VERBS if fits(verb)]
        if not verbs:
            verbs = [
                v
                for v in VERBS
                if v.lemma in ("disappear", "surprise", "arrive") and not v.has("obj")
            ]
        return self.pick(verbs, name=lambda v: f"{v.lemma}.{v.sense}")

    def manner(self, verb: Optional[Verb] = None) -> Manner:
        """A random tense, aspect, modality and polarity for a finite clause."""
        manner = Manner(tense=self.tense())
        draw = self.rng.random()
        if draw < 0.2:
            manner.modal = self.rng.choice(_MODALS)
        elif draw < 0.32:
            manner.perfect = True
        elif draw < 0.46 and verb is not None and verb.progressive:
            manner.progressive = True
        if manner.modal not in ("", "can", "will") and self.chance(0.1):
            manner.perfect = True
        manner.negative = self.chance(0.14)
        manner.emphatic = not manner.negative and self.chance(0.03)
        if verb is not None and verb.has("obj") and verb.lemma not in NO_PASSIVE:
            manner.passive = self.chance(0.32)
            if manner.passive and manner.progressive and manner.perfect:
                manner.progressive = False
        return manner

    def be_form(self, tense: str, agreement: Tuple[int, bool]) -> Tuple[str, str]:
        """The form and tag of finite `be`."""
        person, plural = agreement
        many = plural or person == 2
        if tense == "past":
            return ("were" if many else "was"), "VBD"
        if many:
            return "are", "VBP"
        return ("am", "VBP") if person == 1 else ("is", "VBZ")

    def _finite(
        self, forms: Sequence[str], tense: str, agreement: Tuple[int, bool]
    ) -> Tuple[str, str]:
        if forms[0] == "be":
            return self.be_form(tense, agreement)
        if tense == "past":
            return forms[2], "VBD"
        person, plural = agreement
        return (forms[1], "VBZ") if person == 3 and not plural else (forms[0], "VBP")

    def verb_group(
        self, forms: Sequence[str], manner: Manner, agreement: Tuple[int, bool]
    ) -> Tuple[List[Token], Token]:
        """
        # Returns

        `Tuple[List[Token], Token]`
            The auxiliaries (with `to` and `not`, unattached, relations already chosen) and the
            main verb.
        """
        chain: List[Tuple[str, Sequence[str], str]] = []
        if manner.modal:
            chain.append((manner.modal, (), "aux"))
        if manner.perfect:
            chain.append(("have", ("have", "has", "had", "had", "having"), "aux"))
        be = ("be", "is", "was", "been", "being")
        if manner.progressive:
            chain.append(("be", be, "aux"))
        if manner.passive and manner.form != "participle":
            if not manner.progressive and manner.form == "finite" and self.chance(0.08):
                chain.append(("get", ("get", "gets", "got", "got", "getting"), "aux:pass"))
            else:
                chain.append(("be", be, "aux:pass"))
        supported = bool(chain) and chain[0][0] != "get"
        if manner.form == "finite" and not supported and forms[0] != "be":
            if manner.negative or manner.inverted or manner.emphatic:
                chain.insert(0, ("do", ("do", "does", "did", "done", "doing"), "aux"))
        chain.append((forms[0], forms, "main"))
        tokens = self._inflect(chain, manner, agreement)
        self._negate(tokens, manner)
        if manner.form == "infinitive":
            tokens.insert(0, Token("to", "TO", "to", "to", relation="mark"))
            if tokens[1].form == "not":
                tokens[0], tokens[1] = tokens[1], tokens[0]
        main = next(token for token in tokens if token.relation == "main")
        return [token for token in tokens if token is not main], main

    def _inflect(self, chain, manner: Manner, agreement: Tuple[int, bool]) -> List[Token]:
        tokens: List[Token] = []
        wanted = {
            "finite": "finite",
            "infinitive": "base",
            "bare": "base",
            "gerund": "gerund",
            "participle": "participle",
        }[manner.form]
        for lemma, forms, relation in chain:
            if not forms:
                tokens.append(Token(lemma, "MD", lemma, "modal", relation=relation))
                wanted = "base"
                continue
            if wanted == "finite":
                form, pos = self._finite(forms, manner.tense, agreement)
            elif wanted == "base":
                form, pos = forms[0], "VB"
            elif wanted == "gerund":
                form, pos = forms[4], "VBG"
            else:
                form, pos = forms[3], "VBN"
            tokens.append(Token(form, pos, lemma, "auxiliary", relation=relation))
            passive = relation == "aux:pass"
            wanted = {"have": "participle", "do": "base", "get": "participle"}.get(
                lemma, "participle" if passive else "gerund"
            )
        return tokens

    def _negate(self, tokens: List[Token], manner: Manner) -> None:
        if not manner.negative:
            return
        if manner.form != "finite":
            tokens.insert(0, Token("not", "RB", "not", "negation", relation="advmod"))
            return
        first = tokens[0]
        if first.form in _CONTRACTED and self.chance(0.6):
            first.form = _CONTRACTED[first.form]
            tokens.insert(1, Token("n't", "RB", "not", "negation", relation="advmod"))
        else:
            tokens.insert(1, Token("not", "RB", "not", "negation", relation="advmod"))
