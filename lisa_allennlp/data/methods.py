"""
Methods of `Sentence` and `Document` whose modules import these classes, and are themselves imported
when one calls: labelling alone does without them.
"""

from typing import TYPE_CHECKING, List

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Sentence

if TYPE_CHECKING:
    from lisa_allennlp.data.events.event import Event


def to_conllu(sentence: Sentence) -> str:
    """As `data.formats.conllu.to_conllu`."""
    from lisa_allennlp.data.formats import conllu

    return conllu.to_conllu(sentence)


def from_conllu(text: str) -> Sentence:
    """As `data.formats.conllu.from_conllu`."""
    from lisa_allennlp.data.formats import conllu

    return conllu.from_conllu(text)


def events_of_sentence(sentence: Sentence) -> List["Event"]:
    """Finds the events of a sentence, as `find_events` does."""
    from lisa_allennlp.data.events.finding import find_events

    return find_events(sentence)


def events_of_document(document: Document) -> List["Event"]:
    """
    Finds the events of all sentences, in text order. `clusters` of coreference among the document's
    `extra` count as in `find_events`.
    """
    return [event for sentence in document.with_ids() for event in events_of_sentence(sentence)]


Sentence.to_conllu = to_conllu
Sentence.from_conllu = staticmethod(from_conllu)
Sentence.events = property(events_of_sentence)
Document.events = property(events_of_document)
