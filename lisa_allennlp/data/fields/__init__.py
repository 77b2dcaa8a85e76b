"""Fields for labels that may be unknown, for tags that are read, for frames, and for sentences."""

from lisa_allennlp.data.fields.frames_field import (
    FORM_SENSES_NAMESPACE,
    SENSES_NAMESPACE,
    FramesField,
)
from lisa_allennlp.data.fields.input_tags_field import InputTagsField
from lisa_allennlp.data.fields.labels_field import IGNORED_LABEL, LabelsField
from lisa_allennlp.data.fields.sentence_field import SentenceField

__all__ = [
    "FORM_SENSES_NAMESPACE",
    "FramesField",
    "IGNORED_LABEL",
    "InputTagsField",
    "LabelsField",
    "SENSES_NAMESPACE",
    "SentenceField",
]
