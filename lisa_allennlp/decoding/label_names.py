"""The labels of the network's output units."""

from functools import cached_property
from typing import Dict, List, Mapping, Optional, Sequence

from lisa_allennlp.data.formats.roles import split_tag
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.decoding.sense_names import SenseNames
from lisa_allennlp.decoding.trees import find_root_label

LABEL_NAMESPACES = ("joint_tags", "role_labels", "head_tags", "sense_labels", "form_sense_labels")
"""The namespaces of a vocabulary that `LabelNames` reads."""


class LabelNames:
    """
    The labels of the network's output units: for each of the `LABEL_NAMESPACES`, those in the order
    of their indices. SA needs no `head_tags`. Without `sense_labels`, no senses are predicted. The
    `sense_inventory` and the `sense_context` are as for `SenseNames`.

    >>> names = LabelNames({"joint_tags": ["PRP", "VBD", "VBD:predicate"]})
    >>> names.pos, names.pos_of_joint, names.is_predicate
    (['PRP', 'VBD'], [0, 1, 1], [False, False, True])
    """

    def __init__(
        self,
        labels: Mapping[str, Sequence[str]],
        sense_inventory: Optional[str] = None,
        sense_context: Optional[str] = None,
    ) -> None:
        joint_tags, roles, head_tags, senses, form_senses = (
            list(labels.get(namespace, ())) for namespace in LABEL_NAMESPACES
        )
        joint = [split_tag(tag) for tag in joint_tags]
        self.pos = list(dict.fromkeys(pos for pos, _ in joint))
        numbers: Dict[str, int] = {tag: number for number, tag in enumerate(self.pos)}
        self.pos_of_joint: List[int] = [numbers[pos] for pos, _ in joint]
        self.is_predicate: List[bool] = [is_predicate for _, is_predicate in joint]
        self.roles = roles
        self.head_tags = head_tags
        self.root_label = find_root_label(head_tags)
        self.senses = SenseNames(senses, form_senses, sense_inventory, sense_context)

    @cached_property
    def role_constraints(self) -> RoleConstraints:
        """The sequences of role labels that a frame may have."""
        return RoleConstraints(self.roles)
