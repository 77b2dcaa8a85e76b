"""A field for the sentence of an instance."""

from typing import Dict

from allennlp.data.fields import MetadataField

from lisa_allennlp.data.formats.tokens import BRACKETS_NAMESPACE, is_bracket
from lisa_allennlp.data.sentence import Sentence


class SentenceField(MetadataField):
    """
    A `MetadataField` with the key `sentence`. It adds the brackets of the corpus to the vocabulary,
    so that a trained model can write the brackets of raw text in the same form.

        >>> from collections import defaultdict
        >>> counter = defaultdict(lambda: defaultdict(int))
        >>> field = SentenceField(Sentence(["-LRB-", "She", "sang", "-RRB-"]))
        >>> field.count_vocab_items(counter)
        >>> dict(counter["bracket_labels"])
        {'-LRB-': 1, '-RRB-': 1}
    """

    def __init__(self, sentence: Sentence) -> None:
        super().__init__({"sentence": sentence})

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for word in self.metadata["sentence"].words:
            if is_bracket(word):
                counter[BRACKETS_NAMESPACE][word] += 1
