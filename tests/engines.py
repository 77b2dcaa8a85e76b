"""Instances of a corpus through a labeller."""

from typing import List, Sequence

from allennlp.data import Instance

from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.sentence.sentence import Sentence


def label_instances(labeller: Labeller, instances: Sequence[Instance]) -> List[Sentence]:
    """Labels instances of the engine's dataset reader."""
    return labeller.label([labeller.engine.request(instance) for instance in instances])
