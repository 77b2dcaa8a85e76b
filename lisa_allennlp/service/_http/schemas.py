"""
The JSON of requests and answers, for the description of the API. The service itself reads bodies
with the readers of `lisa predict`.

    >>> SentenceInput(tokens=["Go"], predicates=[0]).model_dump(exclude_none=True)
    {'tokens': ['Go'], 'predicates': [0]}
"""

from typing import Any, Dict, List, Optional, Union

from pydantic import BaseModel, ConfigDict, Field

WORDS = ["She", "sold", "him", "the", "car", "."]


class SentenceInput(BaseModel):
    """A sentence, as raw text or as tokens. Other keys, such as `id`, are copied to the answer."""

    model_config = ConfigDict(extra="allow")

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


class DocumentInput(BaseModel):
    """A text of any number of sentences. Other keys are copied to the answer."""

    model_config = ConfigDict(extra="allow")

    text: str


class FrameAnswer(BaseModel):
    """A predicate with its roles."""

    model_config = ConfigDict(extra="allow")

    verb: str
    index: int = Field(description="The position of the predicate, from 0.")
    tags: List[str] = Field(description="The roles as BIO tags, one per word.")
    description: str
    lemma: Optional[str] = None
    sense: Optional[str] = Field(None, description="The roleset of PropBank, such as `sell.01`.")
    probability: Optional[float] = None
    span_probabilities: Optional[List[float]] = None


class SentenceAnswer(BaseModel):
    """A labelled sentence. Keys that the model does not predict are left out."""

    model_config = ConfigDict(extra="allow")

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
    offsets: Optional[List[List[int]]] = Field(
        None, description="The start and the end of each token in the raw text."
    )
    attention: Optional[List[List[float]]] = Field(
        None, description="With `attention=true`: a row per token, a weight per possible head."
    )


class DocumentAnswer(BaseModel):
    """A labelled document. Offsets are into its text."""

    model_config = ConfigDict(extra="allow")

    text: str
    sentences: List[SentenceAnswer]


class ErrorAnswer(BaseModel):
    """What was found and what was expected, in one line."""

    error: str


class DrawInput(BaseModel):
    """An answer to draw."""

    answer: SentenceAnswer
    other: Optional[SentenceAnswer] = Field(None, description="Another answer, to compare.")
    names: Optional[List[str]] = Field(None, description="The names of both.")
    width: Optional[float] = Field(None, description="In pixels; wide sentences are broken.")
    theme: Optional[str] = Field(
        "auto", description="`light`, `dark`, `auto`, or null for a page with its own stylesheet."
    )
    attention: bool = Field(False, description="Whether to draw the heat map of `attention`.")


class ConvertInput(BaseModel):
    """Answers to write in another format."""

    answers: Union[SentenceAnswer, DocumentAnswer, List[Union[SentenceAnswer, DocumentAnswer]]]


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
Answer = Union[SentenceAnswer, DocumentAnswer]
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

LABEL_EXAMPLES: Dict[str, Dict[str, Any]] = {
    "text": {"summary": "Raw text", "value": "She sold him the car."},
    "tokens": {
        "summary": "Tokens with a tree and predicates",
        "value": {
            "tokens": WORDS,
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

DRAW_EXAMPLES = {"sentence": {"summary": "A sentence", "value": {"answer": _GO, "theme": "light"}}}
"""Bodies of `/draw`."""

CONVERT_EXAMPLES = {"sentence": {"summary": "A sentence", "value": {"answers": [_GO]}}}
"""Bodies of `/convert`."""
