"""The grammar of the embedded sample: a small generative grammar of English."""

from sample.adverbials import Adverbials
from sample.clauses import Clauses
from sample.noun_phrases import NounPhrases
from sample.relative_clauses import RelativeClauses
from sample.verb_groups import VerbGroups


class Grammar(NounPhrases, RelativeClauses, Adverbials, Clauses, VerbGroups):
    """
    Phrases and clauses with everything that can stand in them. Each base class makes one kind of
    phrase, and calls the others for the phrases inside.
    """
