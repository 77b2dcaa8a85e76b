"""The fitted models of rolesets and roles."""

from lisa_allennlp.decoding.contexts import RolesOfRolesets


def test_rolesets_lack_roles() -> None:
    labels = "O B-V B-ARG0 I-ARG0 B-ARG5 B-R-ARG5 I-C-ARG1 B-ARGM-TMP B-A5".split()
    roles = RolesOfRolesets(labels)
    # In PropBank, sell.01 has the roles 0 to 4; there is no have.LV.
    pairs = zip(labels, roles.lacking("sell.01"), strict=True)
    lacking = [label for label, is_lacking in pairs if is_lacking]
    assert lacking == ["B-ARG5", "B-R-ARG5", "B-A5"]
    assert not roles.lacking("have.LV").any()
