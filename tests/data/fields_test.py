import pytest
import torch
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.fields import FramesField, LabelsField, SupertagsField
from lisa_allennlp.formats.ccg import RARE_CATEGORY
from tests.sentence.sentences import sentences


def words(*texts):
    return TextField([Token(text) for text in texts], {})


def test_unknown_labels_and_padding_are_ignored():
    known = LabelsField(["x", "y", "x"], words("a", "b", "c"), "my_tags")
    vocab = Vocabulary.from_instances([Instance({"labels": known})])
    field = LabelsField(["y", "never seen", "x"], words("a", "b", "c"), "my_tags")
    field.index(vocab)
    tensor = field.as_tensor({"num_tokens": 5})
    assert tensor.tolist() == [1, -100, 0, -100, -100] and tensor.dtype == torch.long
    # Unknown namespaces are not added to the vocabulary.
    field = LabelsField(["x"], words("a"), "other_tags")
    field.index(vocab)
    assert field.as_tensor({"num_tokens": 1}).tolist() == [-100]
    assert "other_tags" not in vocab.get_namespaces()


@pytest.mark.parametrize(
    "known, expected",
    [(["N", RARE_CATEGORY], [0, 1, -100]), (["N"], [0, -100, -100]), ([], [-100] * 3)],
)
def test_unseen_supertags_become_the_rare_symbol_if_there_is_one(known, expected):
    vocab = Vocabulary()
    for label in known:
        vocab.add_token_to_namespace(label, "supertag_labels")
    field = SupertagsField(["N", "S/S"], words("cats", "sleep"), "supertag_labels")
    field.index(vocab)
    assert field.as_tensor({"num_tokens": 3}).tolist() == expected


def make_field(frames, length):
    return FramesField(frames, words(*["word"] * length))


def make_batch(fields, vocab=None):
    batch = Batch([Instance({"frames": field}) for field in fields])
    batch.index_instances(vocab or Vocabulary.from_instances(batch.instances))
    return batch.as_tensor_dict()["frames"]


class TestFramesField:
    def test_a_batch_may_have_no_frame(self):
        frames = make_batch([make_field([], 2), make_field([], 3)])
        assert frames["sentence_indices"].shape == (0,)
        assert frames["predicate_indices"].shape == (0,)
        assert frames["roles"].shape == (0, 3)
        assert {tensor.dtype for tensor in frames.values()} == {torch.long}

    @pytest.mark.medium
    @given(st.lists(sentences(with_parse=False), min_size=1, max_size=5))
    def test_every_label_is_found_again(self, sentences):
        fields = [make_field(s.frames, len(s.words)) for s in sentences]
        vocab = Vocabulary.from_instances([Instance({"frames": field}) for field in fields])
        frames = make_batch(fields, vocab)
        found = [[] for _ in sentences]
        for row, predicate, roles in zip(*(frames[key].tolist() for key in frames), strict=True):
            labels = [vocab.get_token_from_index(n, "role_labels") for n in roles if n != -100]
            found[row].append((predicate, labels))
        assert found == [[(f.predicate, f.tags) for f in s.frames] for s in sentences]
