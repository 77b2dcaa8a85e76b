from allennlp.data import Token, Vocabulary
from allennlp.data.fields import TextField

from lisa_allennlp.data.fields.labels_field import IGNORED_LABEL
from lisa_allennlp.data.fields.supertags_field import SupertagsField
from lisa_allennlp.data.formats.ccg.rare_category import RARE_CATEGORY


def index(vocab):
    tokens = TextField([Token("cats"), Token("sleep")])
    field = SupertagsField(["N", "S/S"], tokens, "supertag_labels")
    field.index(vocab)
    return field.as_tensor({"num_tokens": 3}).tolist()


def test_unseen_supertags_become_the_rare_symbol():
    vocab = Vocabulary()
    for label in ("N", RARE_CATEGORY):
        vocab.add_token_to_namespace(label, "supertag_labels")
    assert index(vocab) == [0, 1, IGNORED_LABEL]


def test_without_that_symbol_they_are_left_out():
    vocab = Vocabulary()
    assert index(vocab) == [IGNORED_LABEL] * 3
    assert "supertag_labels" not in vocab.get_namespaces()
    vocab.add_token_to_namespace("N", "supertag_labels")
    assert index(vocab) == [0, IGNORED_LABEL, IGNORED_LABEL]
