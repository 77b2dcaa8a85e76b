"""Counts the role labels of the training data, once."""

from typing import Any, Iterable

import torch
from allennlp.common.util import is_distributed, lazy_groups_of
from allennlp.data import Instance
from allennlp.training.callbacks import TrainerCallback

from lisa_allennlp.data.fields import FramesField
from lisa_allennlp.modules.role_decoders import RoleDecoder

_GROUP_SIZE = 1000


@TrainerCallback.register("role_statistics")
class RoleStatistics(TrainerCallback):
    """
    Counts the transitions of the training data's role labels for the model's role decoder when
    training starts, also when it is recovered. Each sentence counts once, whatever the number of
    epochs. In distributed training, the counts of all workers are added up. Models without a role
    decoder are left alone.
    """

    def on_start(self, trainer: Any, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        for module in trainer.model.modules():
            if isinstance(module, RoleDecoder):
                count_roles(trainer.data_loader.iter_instances(), module)


def count_roles(instances: Iterable[Instance], decoder: RoleDecoder) -> None:
    """
    Replaces the counts of a role decoder by those of indexed instances; in distributed training, of
    this worker's share. Instances without a field `frames` are skipped.
    """
    counts = (decoder.transition_counts, decoder.start_counts)
    for count in counts:
        count.zero_()
    found = (instance.fields.get("frames") for instance in instances)
    fields = (field for field in found if isinstance(field, FramesField))
    for group in lazy_groups_of(fields, _GROUP_SIZE):
        longest = {"num_tokens": max(f.sequence_field.sequence_length() for f in group)}
        roles = torch.cat([field.as_tensor(longest)["roles"] for field in group])
        # Padding has no label, so it needs no mask.
        mask = torch.ones_like(roles, dtype=torch.bool)
        decoder.observe(roles.to(counts[0].device), mask.to(counts[0].device))
    if is_distributed():
        for count in counts:
            torch.distributed.all_reduce(count)
