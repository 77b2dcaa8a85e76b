"""Gold supertags, of which some are outside of the category set."""

from typing import cast

from allennlp.data.vocabulary import Vocabulary

from lisa_allennlp.data.fields.labels_field import IGNORED_LABEL, LabelsField
from lisa_allennlp.data.formats.ccg.rare_category import RARE_CATEGORY


class SupertagsField(LabelsField):
    """
    A `LabelsField` in which supertags that the vocabulary does not have become its rare symbol,
    `@@RARE@@`, if it has that one. Parameters are those of `LabelsField`.
    """

    def index(self, vocab: Vocabulary) -> None:
        super().index(vocab)
        numbers = cast(list, self._indexed_labels)
        rare = IGNORED_LABEL
        # Asking a vocabulary for a namespace that it lacks would add one to it.
        if self._label_namespace in vocab.get_namespaces():
            known = vocab.get_token_to_index_vocabulary(self._label_namespace)
            rare = known.get(RARE_CATEGORY, IGNORED_LABEL)
        self._indexed_labels = [rare if n == IGNORED_LABEL else n for n in numbers]
