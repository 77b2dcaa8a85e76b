"""The sentence of an instance, and what an archive has to know of its words."""

from typing import Dict

from allennlp.data.fields import MetadataField

from lisa_allennlp.data.formats.tokens import is_bracket
from lisa_allennlp.data.sentence import Sentence

BRACKETS_NAMESPACE = "bracket_labels"
"""Where a vocabulary has the forms in which its corpus writes brackets, the most frequent first."""


class SentenceField(MetadataField):
    """
    A `MetadataField` with the key `sentence`, which counts the brackets of the corpus, so that raw
    text can be given to the trained network as its corpus would write it.
    """

    def __init__(self, sentence: Sentence) -> None:
        super().__init__({"sentence": sentence})

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for word in self.metadata["sentence"].words:
            if is_bracket(word):
                counter[BRACKETS_NAMESPACE][word] += 1
