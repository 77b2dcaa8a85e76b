"""Fields that AllenNLP lacks: labels that may be unknown, and the frames of a batch."""

from lisa_allennlp.data.fields.frames_field import FramesField
from lisa_allennlp.data.fields.labels_field import IGNORED_LABEL, LabelsField

__all__ = ["FramesField", "IGNORED_LABEL", "LabelsField"]
