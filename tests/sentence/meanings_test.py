"""The meanings of labels: all that the models of the package and PropBank use have one."""

from lisa_allennlp.english.languages import UNIVERSAL_TAGS
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.sentence.meanings import (
    meaning_of_function,
    meaning_of_relation,
    meaning_of_role,
    meaning_of_tag,
    meanings_of,
)
from lisa_allennlp.sentence.roles import is_core, split_tag
from lisa_allennlp.text.propbank_frames import packaged_inventory


def labels(namespace: str) -> "set[str]":
    file = pretrained.FOLDER / pretrained.DEFAULT / "vocabulary" / f"{namespace}.txt"
    return {*file.read_text(encoding="utf-8").split()}


def test_all_labels_of_the_models_and_of_propbank_have_a_meaning() -> None:
    tags = {split_tag(tag)[0] for tag in labels("joint_tags")}
    roles = {label[2:] for label in labels("role_labels") if label != "O"}
    # What other numbers mean, only rolesets say.
    roles = {r for r in roles if r[-1:] in "01A" or not is_core(r.removeprefix("C-")[-4:])}
    assert not [tag for tag in tags | UNIVERSAL_TAGS if not meaning_of_tag(tag)]
    assert not [label for label in labels("head_tags") if not meaning_of_relation(label)]
    assert not [role for role in roles if not meaning_of_role(role)]
    functions = {name for r in packaged_inventory() for name in r.functions.values() if name}
    assert not [name for name in functions if not meaning_of_function(name)]


def test_labels_of_different_kinds_have_different_names() -> None:
    kinds = {split_tag(t)[0] for t in labels("joint_tags")}, labels("head_tags")
    assert not kinds[0] & kinds[1]
    assert meanings_of(["NN", "??"], ["obj"], ["ARGM-LOC", "ARG4"]) == {
        "NN": "noun, singular",
        "obj": "object",
        "ARGM-LOC": "where",
    }
