"""
What English verbs, nouns and adjectives say about the truth of their complement.

An `Effect` has the truth of the complement where the word itself holds, and where it is negated, as
in the signatures of Nairn, Condoravdi & Karttunen (2006), "Computing relative polarity for textual
inference": `manage` is `+-`, since who managed to sell sold, and who did not manage did not; `fail`
is `-+`, `know` is `++`, and `want` leaves both open.
"""

from typing import Dict, FrozenSet, NamedTuple, Optional

HOLDS, FAILS, OPEN = "+", "-", "o"

WANTED, POSSIBLE, ATTRIBUTED = "wanted", "possible", "attributed"


class Effect(NamedTuple):
    """
    The truth of a complement where its verb holds, and where it is negated: one of `HOLDS`, `FAILS`
    and `OPEN`, and the factuality of what is open.
    """

    positive: str
    negative: str
    open: str = POSSIBLE


def _words(text: str) -> FrozenSet[str]:
    return frozenset(text.split())


_BY_EFFECT = {
    Effect("+", "-"): """
        begin bother cause come continue dare get go happen have help keep let make manage
        proceed remain remember resume see start stay tend turn_out use venture wait_until
        """,
    Effect("-", "+"): "avoid fail forget neglect omit",
    Effect("-", "o"): """
        cancel cease decline discontinue end escape failure forbid give_up halt impossible inability
        keep_from lack miss prevent prohibit quit refrain refusal refuse reject resist skip stop
        unable unwilling
        """,
    Effect("+", "o"): "force lead bring drive oblige compel",
    # What is known, regretted or seen is taken to be true, negated or not.
    Effect("+", "+"): """
        acknowledge amaze amazed angry annoyed appreciate aware confirm delighted disappointed
        discover fact find forget_that glad grateful happy hate know learn love luck lucky mean
        notice pleased proud realise realize regret regretful remember_that reveal sad sorry
        surprised thank thankful understand upset
        """,
    Effect("o", "o", WANTED): """
        able_for advise agree agreement aim allow ambition ask attempt beg choice choose consider
        contract dare_say decide decision demand deserve desire desperate determined eager effort
        encourage expect expectation fight goal hesitate hope hoping inclined instruct intend
        intention interested invite like look need obligation offer opt order permission permit
        persuade plan prefer prepare prepared pressure promise proposal propose ready recommend
        refer request require right_to schedule seek suggest suppose teach tell tempt threat threaten
        trust try urge vow want warn willing wish work
        """,
    Effect("o", "o", POSSIBLE): """
        appear chance claim_to difficult doubt easy hard likely opportunity possible potential
        probable seem unlikely way
        """,
    # Who does not think that it was sold thinks that it was not.
    Effect("o", "-", ATTRIBUTED): "believe expect_that feel imagine reckon suppose_that think",
    Effect("-", "o", ATTRIBUTED): "deny denial",
    Effect("o", "o", ATTRIBUTED): """
        accuse add agree_that allege announce announcement answer argue assert assume assure belief
        blog boast charge claim comment complain complaint concede conclude consider_that contend
        declare describe discuss email estimate explain express forecast guarantee guess hear hint
        hope_that imply indicate inform insist insinuate joke letter maintain mention note notify
        opinion point_out post predict prediction pretend promise_that propose_that quote read
        recall reckon remark reply report respond rumor say signal speculate state statement stress
        suggest_that suspect swear sure tell_that testify threaten_that tweet view warn_that whisper
        wonder write
        """,
}

_EFFECTS: Dict[str, Effect] = {
    lemma: effect for effect, lemmas in _BY_EFFECT.items() for lemma in lemmas.split()
}

SAYING = frozenset(
    lemma for lemma, effect in _EFFECTS.items() if effect.open == ATTRIBUTED
) - _words("believe feel imagine sure")
"""The words of saying and thinking; `tell_that` is `tell` with a finite clause."""

THAT = "_that"
"""The end of an entry for a lemma with a finite clause, where another one is for infinitives."""


def effect_of(lemma: str, is_finite: bool) -> Optional[Effect]:
    """
    Returns what a word says of the truth of its complement, `None` if it says nothing.

    >>> effect_of("manage", False), effect_of("tell", False).open, effect_of("tell", True).open
    (Effect(positive='+', negative='-', open='possible'), 'wanted', 'attributed')
    """
    return (_EFFECTS.get(lemma + THAT) if is_finite else None) or _EFFECTS.get(lemma)


def is_saying(lemma: str) -> bool:
    """Whether a word says or thinks what a finite clause with it states."""
    return lemma in SAYING or lemma + THAT in SAYING


OF_NOUNS = {
    **dict.fromkeys(
        "consider demand need offer plan propose request require seek suggest want".split(),
        (True, WANTED),
    ),
    **dict.fromkeys(
        "avoid block cancel decline lack prevent refuse reject stop".split(), (False, "asserted")
    ),
}
"""
Whether an event holds, and its factuality, that is a noun and the object of a verb: `want a refund`,
`refuse a refund`.
"""

NEGATIONS = _words("not n't nt never neither nor hardly scarcely barely")

NO_LONGER = (("no", "longer"), ("no", "more"))

NEGATIVE_NOUNS = _words("nobody noone none nothing neither")

NEGATIVE_DETERMINERS = _words("no neither")

CONDITIONS = _words("if unless lest provided providing supposing whether")

WITHOUT = _words("without instead rather")
"""Prepositions and marks of clauses whose event does not happen: `instead of selling`."""

TRANSPARENT = _words(
    "all any bit both bunch couple dozen each few handful hundreds kind lot lots majority many most "
    "much number one ones pair part piece plenty several some sort thousands type variety"
)
"""Words whose `of` phrase has the thing: `a lot of phones`."""
