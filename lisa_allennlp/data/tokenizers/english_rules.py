"""
Rules that turn spaCy's English tokens into those of the English Web Treebank (EWT), on which
PropBank annotated roles. The treebank splits words at hyphens, but not after prefixes such as
`non-`; it splits contractions, and units from numbers; and it keeps repeated punctuation together.

    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> adapt_to_treebank(nlp)
    >>> [token.text for token in nlp.tokenizer("A non-stop, two-hour show at 7:30PM!!!")]
    ['A', 'non-stop', ',', 'two', '-', 'hour', 'show', 'at', '7:30', 'PM', '!!!']
    >>> [token.text for token in nlp.tokenizer("DON'T call 555-0123 and/or write, dunno...")]
    ['DO', "N'T", 'call', '555-0123', 'and', '/', 'or', 'write', ',', 'du', 'n', 'no', '...']
"""

import re
from typing import Any, Dict, List, Sequence

from spacy.lang.char_classes import ALPHA
from spacy.language import Language
from spacy.symbols import ORTH
from spacy.tokenizer import Tokenizer
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

UNSPLIT_PREFIXES = (
    "anti arch bi co counter cyber de e eco ex extra hyper inter intra macro mega micro mid mini "
    "mono multi neo non over pan para poly post pre pro proto pseudo psycho quasi re semi socio "
    "sub super supra trans tri ultra un uni"
).split()
"""A word with one of these before its hyphen is one token: `non-stop`, `e-mail`."""

ABBREVIATIONS = (
    "Arrv. Assn. Assoc. Attn. Ave. Blvd. Brig. Capt. Cf. Cmdr. Col. Cpl. Dept. Det. Dist. Drs. "
    "Est. Ext. Fig. Fr. Fri. Ft. Hon. Hwy. Intl. Jr. Lt. Maj. Mon. Msgr. Natl. No. Nos. PS. Para. "
    "Ph. Pres. Prof. Pvt. Rd. Reps. Rt. Sat. Sc. Sec. Sens. Sgt. Spec. Sr. Ste. Sun. Supt. Tel. "
    "Thu. Thur. Thurs. Tue. Tues. Univ. Vol. Wed. approx. arrv. attn. cf. dept. esp. est. etc. "
    "ext. ft. fwd. incl. lb. lbs. lv. max. min. misc. natl. oz. pp. seq. tel. yrs."
).split()
"""Tokens that include a full stop, in addition to spaCy's."""

CONTRACTIONS = (
    ("ar", "nt"),
    ("du", "n", "no"),
    ("gim", "me"),
    ("lem", "me"),
    ("out", "ta"),
    ("sort", "a"),
    ("wan", "na"),
)
"""The parts of contracted words without an apostrophe, in addition to spaCy's."""

ORDINARY_WORDS = ("):", "8)", "Id", "Id.", "Wed", "and/or", "id", "w/o", "wed")
"""Words for which spaCy has a special rule that the treebank does not share."""

_POSSESSIVES = ("'s", "'S", "’s", "’S")

_RUNS = (
    r"[!?.…]*[!?][!?.…]+",
    r"\*{2,}",
    r"={2,}",
    r"_{2,}",
    r"-{2,}",
    r"<{2,}",
    r">{2,}",
    r"[‘’'`]{2}",
)
"""Repeated punctuation."""

_PREFIXES = (r"@(?=[0-9])", rf"[-/](?=[{ALPHA}])")

_SUFFIXES = (
    # 60's is one token.
    r"(?<![0-9])['’][sS]",
    rf"(?<=[{ALPHA}])(?:[nN]['’][tT]|['’](?:[rR][eE]|[vV][eE]|[lL][lL]|[dDmM]))",
    r"(?<=[0-9])[apAP]\.?[mM]\.?",
    r"(?<=[0-9])[kKM]",
    rf"(?<=[{ALPHA}])-",
    # The grade A+.
    r"(?<=[A-E])\+",
)

_NO_PREFIX = "".join(rf"(?<!\b(?i:{prefix}))" for prefix in UNSPLIT_PREFIXES)

_INFIXES = (
    r"[!?]{2,}",
    rf"(?<=[{ALPHA}0-9]){_NO_PREFIX}-(?=[{ALPHA}])",
    rf"(?<=[{ALPHA}]){_NO_PREFIX}-(?=[0-9])",
    rf"(?<=[{ALPHA}0-9])(?:–|—|--+|——|~)(?=[{ALPHA}])",
    rf"(?<=[{ALPHA}])[(\[](?=[{ALPHA}])",
)

_UNSPLIT = re.compile(
    r"""
    (?:\+?[0-9]{1,3}-)?[0-9]{3}-[0-9]{4}  # 555-0123
    | [0-9]+(?:-[0-9]+){2,}               # 212-555-0123, 2004-10-28
    | [\w\#&.-]+\.(?:docx?|xlsx?|pptx?|pdf|txt|jpe?g|gif|png|zip|html?)  # draft-1.doc
    """,
    re.VERBOSE | re.IGNORECASE,
)


def adapt_to_treebank(nlp: Language) -> None:
    """Gives an English pipeline a tokenizer with the rules of this module."""
    # spaCy types them more generally than they are.
    defaults: Any = nlp.Defaults
    suffixes = [suffix for suffix in defaults.suffixes if suffix not in _POSSESSIVES]
    # The rule that this replaces splits at every hyphen between letters.
    infixes = [infix for infix in defaults.infixes if "~" not in infix]
    # Changing spaCy's own tokenizer would load the special cases once per change.
    nlp.tokenizer = Tokenizer(
        nlp.vocab,
        rules=_special_cases(defaults.tokenizer_exceptions),
        prefix_search=compile_prefix_regex([*_RUNS, *defaults.prefixes, *_PREFIXES]).search,
        suffix_search=compile_suffix_regex([*_RUNS, *suffixes, *_SUFFIXES]).search,
        infix_finditer=compile_infix_regex([*infixes, *_INFIXES]).finditer,
        token_match=_UNSPLIT.fullmatch,
        url_match=defaults.url_match,
    )


def _special_cases(spacys: Dict[str, List[Dict[Any, str]]]) -> Dict[str, List[Dict[Any, str]]]:
    cases = {word: parts for word, parts in spacys.items() if word not in ORDINARY_WORDS}
    own = [(abbreviation,) for abbreviation in ABBREVIATIONS] + list(CONTRACTIONS)
    for parts in [*own, *_in_capitals(spacys), *map(_upper, CONTRACTIONS)]:
        cases["".join(parts)] = [{ORTH: part} for part in parts]
    for first, *others in CONTRACTIONS:
        cases["".join([first.capitalize(), *others])] = [
            {ORTH: part} for part in (first.capitalize(), *others)
        ]
    return cases


def _in_capitals(spacys: Dict[str, List[Dict[Any, str]]]) -> List[Sequence[str]]:
    """Contractions such as DONT and CANNOT, which spaCy knows in small letters only."""
    parts = [tuple(part[ORTH] for part in case) for case in spacys.values()]
    return [_upper(case) for case in parts if case[-1].lower() in ("nt", "not", "na", "ta")]


def _upper(parts: Sequence[str]) -> Sequence[str]:
    return tuple(part.upper() for part in parts)
