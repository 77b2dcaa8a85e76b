import pytest
import torch
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.fields import FramesField
from lisa_allennlp.data.sentence import Frame
from tests.data.sentences import sentences


def make_field(frames, length):
    return FramesField(frames, TextField([Token("word")] * length, {}))


def make_batch(fields, vocab=None):
    batch = Batch([Instance({"frames": field}) for field in fields])
    batch.index_instances(vocab or Vocabulary.from_instances(batch.instances))
    return batch.as_tensor_dict()["frames"]


class TestFramesField:
    def test_lists_the_frames_of_a_batch(self):
        known = Vocabulary.from_instances(
            [Instance({"frames": make_field([Frame(0, ["B-V", "B-V", "O"])], 3)})]
        )
        assert known.get_token_to_index_vocabulary("role_labels") == {"B-V": 0, "O": 1}
        frames = make_batch(
            [
                make_field([Frame(1, ["O", "B-V"])], 2),
                make_field([], 1),
                make_field([Frame(0, ["B-V", "O", "B-A1"]), Frame(2, ["O", "O", "B-V"])], 3),
            ],
            known,
        )
        assert frames["sentence_indices"].tolist() == [0, 2, 2]
        assert frames["predicate_indices"].tolist() == [1, 0, 2]
        assert frames["roles"].tolist() == [[1, 0, -100], [0, 1, -100], [1, 1, 0]]

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

    def test_empty_field_has_no_frames(self):
        empty = make_field([Frame(0, ["B-V"])], 1).empty_field()
        assert empty.as_tensor({"num_tokens": 2})["roles"].shape == (0, 2)
        assert len(empty) == 0

    @pytest.mark.parametrize("frame", [Frame(0, ["B-V"]), Frame(2, ["O", "O"])])
    def test_a_frame_that_does_not_fit_is_an_error(self, frame):
        with pytest.raises(ConfigurationError, match="expected 2 labels and a predicate below 2"):
            make_field([frame], 2)

    def test_needs_numbers_first(self):
        with pytest.raises(ConfigurationError, match=r"call .index\(vocab\) first"):
            make_field([], 1).as_tensor({"num_tokens": 1})

    def test_shows_itself(self):
        field = make_field([Frame(0, ["B-V", "O"])], 2)
        assert field.human_readable_repr() == [{"predicate": 0, "roles": ["B-V", "O"]}]
        assert "0: ['B-V', 'O']" in str(field)
