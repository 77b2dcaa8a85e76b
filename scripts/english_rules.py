"""
Rules that turn spaCy's English tokens into those of the English Web Treebank (EWT), on which
PropBank annotated roles. The treebank splits words at hyphens, but not after prefixes such as
`non-`; it splits contractions, and units from numbers; and it keeps repeated punctuation together.

    >>> nlp = English()
    >>> adapt_to_treebank(nlp)
    >>> [token.text for token in nlp.tokenizer("A non-stop, two-hour show at 7:30PM!!!")]
    ['A', 'non-stop', ',', 'two', '-', 'hour', 'show', 'at', '7:30', 'PM', '!!!']
    >>> [token.text for token in nlp.tokenizer("DON'T call 555-0123 and/or write, dunno...")]
    ['DO', "N'T", 'call', '555-0123', 'and', '/', 'or', 'write', ',', 'du', 'n', 'no', '...']

`python scripts/english_rules.py` writes spaCy's rules with these changes to
`english_rules.json`, with which `english` tokenizes without spaCy. The licence of spaCy's rules is
in `english_rules.LICENSE`.
"""

import json
import re
import sys
from functools import cache
from typing import Any, Dict, List, Sequence

from spacy.lang.char_classes import ALPHA, ALPHA_LOWER, ALPHA_UPPER, ICONS
from spacy.lang.en import English
from spacy.language import Language
from spacy.symbols import ORTH
from spacy.tokenizer import Tokenizer
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

from lisa_allennlp.text.english_tokenizer import RULES_FILE

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

ELISIONS = ("em", "im", "til")
"""Words that are one token with an apostrophe before them: `'em`, `'Em`, `’EM`."""

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
    rf"(?<=[{ALPHA}])['’][eE][mM]",
    r"(?<=[0-9])[apAP]\.?[mM]\.?",
    r"(?<=[0-9])[kKM]",
    rf"(?<=[{ALPHA}])-",
    # The grade A+.
    r"(?<=[A-E])\+",
)

_NO_ENTITY = "".join(rf"(?<!&{name})" for name in "amp apos gt lt nbsp quot".split())

_NO_PREFIX = "".join(rf"(?<!\b(?i:{prefix}))" for prefix in UNSPLIT_PREFIXES)

_INFIXES = (
    r"[!?]{2,}",
    rf"(?<=[{ALPHA}0-9]){_NO_PREFIX}-(?=[{ALPHA}])",
    rf"(?<=[{ALPHA}]){_NO_PREFIX}-(?=[0-9])",
    rf"(?<=[{ALPHA}0-9])(?:–|—|--+|——|~)(?=[{ALPHA}])",
    rf"(?<=[{ALPHA}])[(\[](?=[{ALPHA}])",
    rf"(?<=[{ALPHA}]){_NO_ENTITY};(?=[{ALPHA}])",
)

_UNSPLIT = "|".join(
    (
        # No rule splits letters. Asking none of them is faster.
        r"(?i)[a-z]+",
        "[0-9]+",
        # 555-0123
        r"(?:\+?[0-9]{1,3}-)?[0-9]{3}-[0-9]{4}",
        # 212-555-0123, 2004-10-28
        r"[0-9]+(?:-[0-9]+){2,}",
        # draft-1.doc
        r"[\w#&.-]+\.(?:docx?|xlsx?|pptx?|pdf|txt|jpe?g|gif|png|zip|html?)",
    )
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
        token_match=re.compile(_UNSPLIT).fullmatch,
        url_match=defaults.url_match,
    )


def _special_cases(spacys: Dict[str, List[Dict[Any, str]]]) -> Dict[str, List[Dict[Any, str]]]:
    cases = {word: parts for word, parts in spacys.items() if word not in ORDINARY_WORDS}
    own: List[Sequence[str]] = [(abbreviation,) for abbreviation in ABBREVIATIONS]
    own += [
        (mark + form,)
        for mark in "'’"
        for word in ELISIONS
        for form in (word, word.capitalize(), word.upper())
    ]
    own += CONTRACTIONS
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


def english_rules() -> Dict[str, Any]:
    """
    Returns regular expressions: `prefix` (for the start of a string), `suffix`, `infix`, `unsplit`
    and `url` (for whole strings that are one token). `cases` has the tokens of each special case,
    joined by blanks, and `sequences` the tokens that the other rules make of those that these rules
    split.
    """
    nlp = English()
    adapt_to_treebank(nlp)
    tokenizer: Any = nlp.tokenizer
    affixes = {
        name: getattr(tokenizer, name)
        for name in ("prefix_search", "suffix_search", "infix_finditer", "token_match", "url_match")
    }
    without_cases = Tokenizer(nlp.vocab, **affixes)
    cases = {word: parts for word, parts in sorted(tokenizer.rules.items()) if word.strip()}
    finders = (tokenizer.find_prefix, tokenizer.find_suffix, tokenizer.find_infix)
    names = ("prefix", "suffix", "infix", "unsplit", "url")
    return {
        **{
            name: _with_short_classes(method.__self__.pattern)
            for name, method in zip(names, affixes.values(), strict=True)
        },
        "cases": [" ".join(part[ORTH] for part in parts) for parts in cases.values()],
        "sequences": [
            " ".join(token.text for token in without_cases(word))
            for word in cases
            if any(find(word) for find in finders)
        ],
    }


def _with_short_classes(pattern: str) -> str:
    """The expression with character classes as few ranges, which compile faster."""
    for characters in (ALPHA, ALPHA_LOWER, ALPHA_UPPER, ICONS):
        if characters in pattern:
            pattern = pattern.replace(characters, _ranges(characters))
    return pattern


@cache
def _ranges(characters: str) -> str:
    one = re.compile(f"[{characters}]")
    found = "".join("x" if one.match(chr(point)) else " " for point in range(sys.maxunicode + 1))
    runs = (run.span() for run in re.finditer("x+", found))
    return "".join(
        "-".join(dict.fromkeys(re.escape(chr(point)) for point in (start, end - 1)))
        for start, end in runs
    )


if __name__ == "__main__":
    RULES_FILE.write_text(
        json.dumps(english_rules(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
