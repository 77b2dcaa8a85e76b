"""
The truth of the complements of English verbs, nouns and adjectives.

An `Effect` has the truth of the complement where the word itself holds, and where it is negated, as
in the signatures of Nairn, Condoravdi & Karttunen (2006), "Computing relative polarity for textual
inference": `manage` is `+-`, since who managed to sell sold, and who did not manage did not; `fail`
is `-+`, `know` is `++`, and `want` leaves both open.
"""

from functools import lru_cache
from typing import Dict, FrozenSet, NamedTuple, Optional

from lisa_allennlp.sentence.event import ACCUSED, ASSERTED, ATTRIBUTED, POSSIBLE, WANTED
from lisa_allennlp.text.propbank_frames import Roleset, packaged_inventory

HOLDS, FAILS, OPEN = "+", "-", "o"


class Effect(NamedTuple):
    """
    The truth of a complement where its verb holds, and where it is negated (`HOLDS`, `FAILS` or
    `OPEN`), and the factuality of an open one.
    """

    positive: str
    negative: str
    open: str = POSSIBLE


def _words(text: str) -> FrozenSet[str]:
    return frozenset(text.split())


_EFFECTS: Dict[str, Effect] = {
    lemma: effect
    for effect, lemmas in {
        Effect("+", "-"): """
            bother bring cause come continue convict dare get go guilty happen have help keep let
            make manage remain remember see stay tend true turn_out use venture
        """,
        Effect("-", "+"): "avoid fail forget neglect omit",
        Effect("-", "o"): """
            ban cancel cease decline escape failure give_up impossible inability pretend prohibition
            quit refuse reject resist restriction stop
        """,
        Effect("+", "o"): "compel drive force lead",
        # What is known, regretted or seen is taken to be true, whether this is negated or not.
        Effect("+", "+"): """
            acknowledge admit amaze amazed appreciate aware confess confirm delighted disappointed
            discover fact find forget_that glad grateful happy hate know learn like love luck lucky
            news notice pleased proud realise realize regret remember_that reveal sad sorry
            surprised thank thankful understand upset
        """,
        Effect("o", "o", WANTED): """
            advise agreement aim ask attempt beg decide decision demand deserve desperate determined
            effort encourage fight goal hope instruct interested invite look need obligation
            offer opt order permission persuade pledge prefer prepare prepared promise proposal
            propose purpose recommend refer remind request require schedule seek suggest suppose
            teach tell threat threaten trust try urge vow warn work
        """,
        # Who does not want to sell does not sell.
        Effect("o", "-", WANTED): """
            agree allow ambition choose desire eager inclined intend intention permit plan ready
            want willing wish
        """,
        Effect("o", "+", WANTED): "hesitate",
        Effect("o", "o", POSSIBLE): """
            appear capable chance close consider difficult doubt easy expect hard likely opportunity
            possibility possible potential probable risk seem unlikely way
        """,
        # Who does not think that it was sold thinks that it was not.
        Effect("o", "-", ATTRIBUTED): "believe expect_that feel imagine suppose_that think",
        Effect("-", "o", ATTRIBUTED): "deny",
        Effect("o", "o", ATTRIBUTED): """
            add agree_that allegation allege announce announcement answer argue argument assert
            assume assumption assure belief blog boast charge_that claim comment complain complaint
            conclude conclusion contend declare describe discuss emphasize estimate explain express
            feeling forecast guarantee guess hear hint idea imply indicate inform insist joke
            maintain mention note notify opinion point_out predict promise_that propose_that read
            recall remark reply report respond rumor say signal state statement stress suggest_that
            suggestion suspect_that suspicion swear tell_that testify theory threaten_that view
            warn_that warning write
        """,
    }.items()
    for lemma in lemmas.split()
}

OF_BELIEF = _EFFECTS["believe"]
OF_SPEECH = (OF_BELIEF, _EFFECTS["say"])

_FINITE = "_that"
"""Ends the entry of a lemma for finite clauses, if another entry is for infinitives."""

PREVENTED, _SUSPECTED = Effect("-", "o"), Effect("o", "o", ACCUSED)

OF_OBJECTS = (PREVENTED, _SUSPECTED)

OF_FREEDOM = _words(
    "ban bar block clear deter discourage disqualify exclude hinder keep prevent prohibit protect"
    " refrain restrain restrict save spare stop suspend"
)
"""Verbs whose complement with `from` or `of` does not happen: `keep him from selling`."""

_EFFECTS_OF_CLASSES = {
    **dict.fromkeys(("67", "69", "80"), PREVENTED),
    "55.1": Effect("+", "-"),
    "81": _SUSPECTED,
}
"""By classes of VerbNet: `forbid`, `refrain`, `acquit`; `begin`; `suspect`."""

_CRIMES = ("crime", "misdeed", "accusation", "blame for")
"""Words in PropBank's names of roles for an accusation."""


def effect_of(
    lemma: str, is_finite: bool, roleset: Optional[Roleset] = None, role: Optional[str] = None
) -> Optional[Effect]:
    """
    Returns what a word says of the truth of its complement, `None` if it says nothing. Its roleset,
    and the role of the complement, say it of words that are not listed.

    >>> effect_of("manage", False), effect_of("tell", False).open, effect_of("tell", True).open
    (Effect(positive='+', negative='-', open='possible'), 'wanted', 'attributed')
    >>> effect_of("indict", False, roleset_of("indict.01"), "ARG2").open
    'accused'
    """
    known = (_EFFECTS.get(lemma + _FINITE) if is_finite else None) or _EFFECTS.get(lemma)
    if roleset is None or is_finite:
        return known
    if role not in (None, "ARG1") and any(w in roleset.roles.get(role, "") for w in _CRIMES):
        known = known or _SUSPECTED
    classes = (name.partition("-")[0] for name in roleset.verbnet)
    return known or next(filter(None, map(_EFFECTS_OF_CLASSES.get, classes)), None)


@lru_cache(maxsize=4096)
def roleset_of(sense: str) -> Optional[Roleset]:
    return packaged_inventory().roleset(sense)


OF_NOUNS = {
    **dict.fromkeys(
        _words("consider demand need offer plan propose request require seek suggest want"),
        (True, WANTED),
    ),
    **dict.fromkeys(
        _words("avoid block cancel decline lack prevent refuse reject stop"), (False, ASSERTED)
    ),
}
"""The truth and factuality of event nouns as objects: `want a refund`, `refuse a refund`."""

OF_SUBJECTS = {"fail": False, "happen": True, "occur": True}
"""The truth of event nouns as subjects: `the merger failed`."""

OF_NOUNS_WITH_FOR = _words("apply ask hope look pay wait wish")
"""Verbs that want the noun after `for`."""

ADVERBS = {
    **dict.fromkeys(_words("maybe perhaps possibly presumably probably potentially"), POSSIBLE),
    **dict.fromkeys(_words("allegedly purportedly reportedly supposedly"), ATTRIBUTED),
}

ALMOST = _words("almost nearly")
"""Adverbs that deny without a negation."""

NEGATIONS = _words("not n't nt never neither nor hardly scarcely barely")

NEGATIVE_NOUNS = _words("nobody noone none nothing neither")

NEGATIVE_DETERMINERS = _words("no neither")

INDEFINITE = _words("a an any some")

CONDITIONS = _words("case if unless lest provided providing supposing whether")

WITHOUT = _words("without instead rather")
"""Prepositions and marks that deny their event: `instead of selling`."""

TRANSPARENT = _words(
    "all any bit both bunch couple dozen each few handful hundreds kind lot lots majority many most"
    " much number one ones pair part piece plenty several some sort thousands type variety"
)
"""Words whose `of` phrase has the content: `a lot of phones`."""

MEANS = _words(
    "accident air bike boat bus car chance default email fax hand mail means mistake phone plane"
    " post rail road sea ship taxi telephone train tram"
)
"""Words after `by` that are no actors, unless they have an article."""

PRONOUNS = _words(
    "he she it they him her them his its their hers theirs himself herself itself themselves i me"
    " my mine myself you your yours we us our ours who whom whose which that this these those"
)
