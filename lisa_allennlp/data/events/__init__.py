"""
What happens in a sentence, from its labels. `Sentence.events` and `Document.events` call
`find_events`, which is imported when it is needed.
"""

from typing import TYPE_CHECKING, List

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Sentence

if TYPE_CHECKING:
    from lisa_allennlp.data.events.event import Event


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


Sentence.events = property(events_of_sentence)
Document.events = property(events_of_document)
