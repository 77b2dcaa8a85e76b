"""
What happens in a sentence, from its labels: `find_events`, which `Sentence.events` and
`Document.events` call.
"""

from typing import List

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.events.event import Event, Filler
from lisa_allennlp.data.events.finding import find_events
from lisa_allennlp.data.sentence import Sentence

__all__ = ["Event", "Filler", "find_events"]


def events_of_document(document: Document) -> List[Event]:
    """
    Finds the events of all sentences, in text order. `clusters` of coreference among the document's
    `extra` count as in `find_events`.
    """
    return [event for sentence in document.with_ids() for event in find_events(sentence)]


Sentence.events = property(find_events)
Document.events = property(events_of_document)
