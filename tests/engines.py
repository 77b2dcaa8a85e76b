"""Instances of a corpus through a labeller."""

from typing import List, Sequence

from allennlp.data import Instance

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.predictors.sentence_predictors import read_instance


def label_instances(labeller: Labeller, instances: Sequence[Instance]) -> List[Sentence]:
    """Labels instances of the engine's dataset reader."""
    return labeller.label([read_instance(labeller.engine, instance) for instance in instances])
