import pytest
import torch
from allennlp.common import checks
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import ListField, TextField

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.fields import IGNORED_LABEL, LabelsField


def words(*texts):
    return TextField([Token(text) for text in texts], {})


@pytest.fixture
def vocab():
    return Vocabulary.from_instances(
        [Instance({"labels": LabelsField(["x", "y", "x"], words("a", "b", "c"), "my_tags")})]
    )


class TestLabelsField:
    def test_unknown_labels_and_padding_are_ignored(self, vocab):
        field = LabelsField(["y", "never seen", "x"], words("a", "b", "c"), "my_tags")
        field.index(vocab)
        y, x = (vocab.get_token_index(label, "my_tags") for label in "yx")
        tensor = field.as_tensor({"num_tokens": 5})
        assert tensor.tolist() == [y, -100, x, -100, -100]
        assert tensor.dtype == torch.long

    def test_cross_entropy_ignores_them(self, vocab):
        field = LabelsField(["never seen", "x"], words("a", "b"), "my_tags")
        field.index(vocab)
        target = field.as_tensor({"num_tokens": 3})
        logits = torch.randn(3, 2)
        loss = torch.nn.functional.cross_entropy(logits, target)
        known = -logits[1].log_softmax(dim=0)[vocab.get_token_index("x", "my_tags")]
        assert loss.item() == pytest.approx(known.item())

    def test_integers_are_taken_as_they_are(self, vocab):
        field = LabelsField([2, 0, IGNORED_LABEL], words("a", "b", "c"))
        field.index(vocab)
        assert field.as_tensor({"num_tokens": 4}).tolist() == [2, 0, -100, -100]

    def test_unknown_namespaces_are_not_added_to_the_vocabulary(self, vocab):
        field = LabelsField(["x"], words("a"), "other_tags")
        field.index(vocab)
        assert field.as_tensor({"num_tokens": 1}).tolist() == [-100]
        assert "other_tags" not in vocab.get_namespaces()

    def test_pads_a_batch(self, vocab):
        sentences = [(["x"], ["a"]), (["y", "x"], ["a", "b"])]
        batch = Batch(
            [Instance({"labels": LabelsField(ls, words(*ws), "my_tags")}) for ls, ws in sentences]
        )
        batch.index_instances(vocab)
        labels = batch.as_tensor_dict()["labels"]
        assert (labels == IGNORED_LABEL).tolist() == [[False, True], [False, False]]

    def test_can_be_listed(self, vocab):
        # A ListField pads with empty fields.
        fields = [LabelsField(["x"], words("a"), "my_tags")]
        padded = ListField([*fields, fields[0].empty_field()])
        padded.index(vocab)
        assert padded.as_tensor(padded.get_padding_lengths()).tolist() == [[0], [-100]]

    def test_a_label_too_few_is_an_error(self):
        with pytest.raises(checks.ConfigurationError, match="1 and 2"):
            LabelsField(["x"], words("a", "b"), "my_tags")

    def test_needs_numbers_first(self):
        with pytest.raises(ConfigurationError, match=r"call .index\(vocab\) first"):
            LabelsField(["x"], words("a"), "my_tags").as_tensor({"num_tokens": 1})
