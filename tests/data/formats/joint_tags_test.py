import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.joint_tags import join_tag, split_tag


@pytest.mark.parametrize(
    "pos, is_predicate, joint",
    [("VBD", True, "VBD:predicate"), ("VBD", False, "VBD"), (":", True, "::predicate")],
)
def test_joint_tags_are_readable(pos, is_predicate, joint):
    assert join_tag(pos, is_predicate) == joint
    assert split_tag(joint) == (pos, is_predicate)


@given(st.text().filter(lambda pos: not pos.endswith(":predicate")), st.booleans())
def test_split_tag_undoes_join_tag(pos, is_predicate):
    assert split_tag(join_tag(pos, is_predicate)) == (pos, is_predicate)
