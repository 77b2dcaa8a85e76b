"""A field for gold supertags."""

from typing import cast

from allennlp.data.vocabulary import Vocabulary

from lisa_allennlp.data.fields.labels_field import IGNORED_LABEL, LabelsField
from lisa_allennlp.data.formats.ccg.rare_category import RARE_CATEGORY


class SupertagsField(LabelsField):
    """
    A `LabelsField` in which supertags outside the vocabulary become `@@RARE@@`, if the vocabulary
    has that label. Parameters are as in `LabelsField`.

        >>> from allennlp.data import Token
        >>> from allennlp.data.fields import TextField
        >>> tokens = TextField([Token("some"), Token("shares")])
        >>> field = SupertagsField(["NP[nb]/N", "N"], tokens, "supertag_labels")
        >>> labels = {"supertag_labels": ["@@RARE@@", "N"]}
        >>> vocab = Vocabulary(tokens_to_add=labels, non_padded_namespaces=["supertag_labels"])
        >>> field.index(vocab)
        >>> field.as_tensor({"num_tokens": 2})
        tensor([0, 1])
    """

    def index(self, vocab: Vocabulary) -> None:
        super().index(vocab)
        numbers = cast(list, self._indexed_labels)
        rare = IGNORED_LABEL
        # A vocabulary creates a missing namespace when asked for it.
        if self._label_namespace in vocab.get_namespaces():
            known = vocab.get_token_to_index_vocabulary(self._label_namespace)
            rare = known.get(RARE_CATEGORY, IGNORED_LABEL)
        self._indexed_labels = [rare if n == IGNORED_LABEL else n for n in numbers]
