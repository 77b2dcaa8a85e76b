"""How sure a model is of its labels of a sentence, to correct first where it is least sure."""

from typing import List, Sequence

from lisa_allennlp.data.formats.roles import VERB
from lisa_allennlp.data.sentence import Sentence


def certainty(sentence: Sentence) -> float:
    """
    Returns the mean probability of the tags, heads, predicates and arguments of a sentence that was
    labelled with probabilities. Raises a `ValueError` if it has none.
    """
    found = [*(sentence.pos_probabilities or []), *(sentence.head_probabilities or [])]
    for frame in sentence.frames or []:
        found += [] if frame.probability is None else [frame.probability]
        found += [span.probability for span in frame.roles if span.role != VERB]
    if not found or None in found:
        raise ValueError(f"found {sentence} without probabilities; expected them")
    return sum(found) / len(found)


def least_certain_first(sentences: Sequence[Sentence]) -> List[int]:
    """Returns the indices of sentences, by ascending certainty."""
    certainties = list(map(certainty, sentences))
    return sorted(range(len(sentences)), key=certainties.__getitem__)
