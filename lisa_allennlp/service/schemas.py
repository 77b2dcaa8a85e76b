"""
The JSON of requests and answers.

    >>> answer = {"words": ["Go"], "pos": ["VB"]}
    >>> DrawInput(answer=answer).answer.sentence.pos
    ['VB']
"""

from typing import Annotated, Any, Dict, List, Literal, Optional, Tuple, Union

import numpy
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PrivateAttr,
    StrictBool,
    Tag,
    model_validator,
)

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.json_lines import read_record
from lisa_allennlp.data.sentence import Sentence

Matrix = List[List[float]]


class _Open(BaseModel):
    """An object with other keys."""

    model_config = ConfigDict(extra="allow", allow_inf_nan=False)


class SentenceInput(_Open):
    """A sentence, as raw text or as tokens. Other keys, such as `id`, are copied to the answer."""

    sentence: Optional[str] = Field(None, description="Raw text; or `tokens`.")
    tokens: Optional[List[str]] = Field(None, description="The words; or `sentence`.")
    head_indices: Optional[List[int]] = Field(
        None, description="A tree to use: the head of each token, from 1; 0 for the root."
    )
    head_tags: Optional[List[str]] = Field(None, description="The relations of `head_indices`.")
    allow_cycles: Optional[bool] = Field(None, description="Whether the heads may have cycles.")
    predicates: Optional[List[int]] = Field(
        None, description="The positions of the predicates, from 0, instead of predicted ones."
    )


class DocumentInput(_Open):
    """A text of any number of sentences. Other keys are copied to the answer."""

    text: str


class FrameAnswer(_Open):
    """A predicate with its roles."""

    verb: Optional[str] = None
    index: int = Field(description="The position of the predicate, from 0.")
    tags: List[str] = Field(description="The roles as BIO tags, one per word.")
    description: Optional[str] = None
    lemma: Optional[str] = None
    sense: Optional[str] = Field(None, description="The roleset of PropBank, such as `sell.01`.")
    probability: Optional[float] = None
    span_probabilities: Optional[List[float]] = None


class SentenceAnswer(_Open):
    """A labelled sentence. Keys that the model does not predict are left out."""

    words: List[str]
    pos: Optional[List[str]] = None
    predicted_heads: Optional[List[int]] = Field(
        None, description="The head of each token, from 1; 0 for the root."
    )
    predicted_dependencies: Optional[List[str]] = None
    predicates: Optional[List[int]] = Field(None, description="Positions, from 0.")
    predicate_probabilities: Optional[List[float]] = None
    verbs: Optional[List[FrameAnswer]] = None
    pos_probabilities: Optional[List[float]] = None
    head_probabilities: Optional[List[float]] = None
    supertags: Optional[List[str]] = None
    candidates: Optional[List[List[Tuple[str, float]]]] = None
    offsets: Optional[List[Tuple[int, int]]] = Field(
        None, description="The start and the end of each token in the raw text."
    )
    attention: Optional[Matrix] = Field(
        None, description="With `attention=true`: a row per token, a weight per possible head."
    )
    arc_scores: Optional[Matrix] = None
    _sentence: Any = PrivateAttr()

    @model_validator(mode="after")
    def read(self) -> "SentenceAnswer":
        """Checks that the parts fit together."""
        try:
            self._sentence = read_record("", 1, self.model_dump(exclude_unset=True)).sentence
        except CorpusFormatError as error:
            raise ValueError(f"found {error.found}; expected {error.expected}") from error
        length = len(self.words)
        for matrix in (self._sentence.attention, self._sentence.arc_scores):
            if matrix is not None and numpy.shape(matrix) != (length, length):
                raise ValueError(f"expected matrices of {length} lists of {length} numbers")
        return self

    @property
    def sentence(self) -> Sentence:
        """The sentence that it describes."""
        return self._sentence


class DocumentAnswer(_Open):
    """A labelled document. Offsets are into its text."""

    text: str
    sentences: List[SentenceAnswer]

    @model_validator(mode="after")
    def check_offsets(self) -> "DocumentAnswer":
        """Checks that all offsets are in the text."""
        end = len(self.text)
        for sentence in self.sentences:
            if not all(0 <= a <= b <= end for a, b in sentence.offsets or [(-1, -1)]):
                raise ValueError(f"found the offsets {sentence.offsets}; expected those of /label")
        return self

    @property
    def document(self) -> Document:
        """The document that it describes."""
        return Document(self.text, [answer.sentence for answer in self.sentences])


class ErrorAnswer(BaseModel):
    """What was found and what was expected, in one line."""

    error: str


class DrawInput(BaseModel):
    """An answer to draw."""

    model_config = ConfigDict(extra="forbid")

    answer: SentenceAnswer
    other: Optional[SentenceAnswer] = Field(None, description="Another answer, to compare.")
    names: Optional[Tuple[str, str]] = Field(None, description="The names of both.")
    width: Optional[float] = Field(
        None, ge=100, le=20_000, description="In pixels; wide sentences are broken."
    )
    theme: Optional[Literal["auto", "light", "dark"]] = Field(
        "auto", description="`null` for a page with its own stylesheet."
    )
    attention: StrictBool = Field(False, description="Whether to draw the heat map of `attention`.")


def _kind(answer: Any) -> str:
    keys = answer if isinstance(answer, dict) else ()
    return "document" if "sentences" in keys and "words" not in keys else "sentence"


def _as_list(answers: Any) -> Any:
    return answers if isinstance(answers, list) else [answers]


Answer = Annotated[
    Union[Annotated[SentenceAnswer, Tag("sentence")], Annotated[DocumentAnswer, Tag("document")]],
    Discriminator(_kind),
]


class ConvertInput(BaseModel):
    """Answers to write in another format."""

    model_config = ConfigDict(extra="forbid")

    answers: Annotated[List[Answer], BeforeValidator(_as_list)] = Field(
        description="A list of answers, or one answer."
    )


class InfoAnswer(BaseModel):
    """The model and the limits of the service."""

    model: str
    version: str
    has_parse: bool = Field(description="Whether answers have `predicted_heads`.")
    has_attention: bool = Field(description="Whether the model has a syntactic head.")
    has_probabilities: bool
    predicts_senses: bool
    formats: List[str]
    head_tags: List[str]
    max_words: int
    max_bytes: int


class HealthAnswer(BaseModel):
    """Whether the service takes requests."""

    status: str


Input = Union[str, SentenceInput, DocumentInput]
LabelInput = Union[Input, List[Input]]
LabelAnswer = Union[SentenceAnswer, DocumentAnswer, List[Union[Answer, ErrorAnswer]]]

_GO: Dict[str, Any] = {
    "words": ["Go", "!"],
    "pos": ["VB", "."],
    "predicted_heads": [0, 1],
    "predicted_dependencies": ["root", "punct"],
    "predicates": [0],
    "verbs": [
        {"verb": "Go", "index": 0, "tags": ["B-V", "O"], "description": "[V: Go] !"},
    ],
}

LABEL_EXAMPLES: Dict[str, Any] = {
    "text": {"summary": "Raw text", "value": "She sold him the car."},
    "tokens": {
        "summary": "Tokens with a tree and predicates",
        "value": {
            "tokens": ["She", "sold", "him", "the", "car", "."],
            "head_indices": [2, 0, 2, 5, 2, 2],
            "predicates": [1],
        },
    },
    "document": {"summary": "A document", "value": {"text": "It rained. We stayed inside."}},
    "many": {
        "summary": "Many inputs",
        "value": ["It rained.", {"id": 7, "sentence": "We stayed inside."}],
    },
}
"""Bodies of `/label`."""

DRAW_EXAMPLES: Dict[str, Any] = {
    "sentence": {"summary": "A sentence", "value": {"answer": _GO, "theme": "light"}}
}
"""Bodies of `/draw`."""

CONVERT_EXAMPLES: Dict[str, Any] = {
    "sentence": {"summary": "A sentence", "value": {"answers": [_GO]}}
}
"""Bodies of `/convert`."""
