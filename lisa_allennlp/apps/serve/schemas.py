"""The JSON of requests and answers."""

from typing import (
    Annotated,
    Any,
    Dict,
    List,
    Literal,
    Optional,
    Sequence,
    Tuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PrivateAttr,
    StrictBool,
    StrictInt,
    Tag,
    create_model,
    model_validator,
)

from lisa_allennlp.apps.show.explanations import WhoDoesWhat
from lisa_allennlp.apps.show.theme import THEMES
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.english.languages import UNIVERSAL_TAGS
from lisa_allennlp.formats.json_lines import read_record
from lisa_allennlp.sentence import sentence as records
from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.sentence import Sentence


def _model(record: Any, required: Sequence[str] = (), **changes: Any) -> Any:
    """
    Makes the model of a record, whose keys may be missing if they are not required. Values have the
    types of the record, except for `changes`. There may be other keys.
    """
    fields: Dict[str, Any] = {}
    for key, hint in get_type_hints(record, include_extras=True).items():
        described = get_args(hint) if get_origin(hint) is Annotated else (hint, None)
        default = ... if key in required else None
        bare = changes.get(key, described[0])
        fields[key] = (bare, Field(default, description=described[1]))
    config = ConfigDict(extra="allow", allow_inf_nan=False)
    return create_model(record.__name__, __config__=config, **fields)


class GivenFrame(_model(records.GivenFrame, ["index"])):  # type: ignore[misc]
    """What is known of a predicate; the model labels the rest."""


_Input = _model(records.SentenceInput, given_roles=List[GivenFrame])


class SentenceInput(_Input):  # type: ignore[misc, valid-type]
    """A sentence, as raw text or as tokens. Other keys, such as `id`, are copied to the answer."""


class DocumentInput(BaseModel, extra="allow"):
    """A text of any number of sentences. Other keys are copied to the answer."""

    text: str


class FrameAnswer(_model(records.FrameRecord, ["index", "tags"])):  # type: ignore[misc]
    """A predicate with its roles."""


_Answer = _model(records.SentenceRecord, ["words"], verbs=List[FrameAnswer])


class SentenceAnswer(_Answer):  # type: ignore[misc, valid-type]
    """A labelled sentence. Keys that the model does not predict are left out."""

    _labelled: Any = PrivateAttr()

    @model_validator(mode="after")
    def read(self) -> "SentenceAnswer":
        try:
            self._labelled = read_record("", 1, self.model_dump(exclude_unset=True)).sentence
        except CorpusFormatError as error:
            raise ValueError(f"found {error.found}; expected {error.expected}") from error
        return self

    @property
    def labelled(self) -> Sentence:
        return self._labelled


class DocumentAnswer(BaseModel, extra="allow"):
    """A labelled document. Offsets are into its text."""

    text: str
    sentences: List[SentenceAnswer]

    @model_validator(mode="after")
    def check_offsets(self) -> "DocumentAnswer":
        end = len(self.text)
        for sentence in self.sentences:
            if not all(0 <= a <= b <= end for a, b in sentence.offsets or [(-1, -1)]):
                raise ValueError(f"found the offsets {sentence.offsets}; expected those of /label")
        return self

    @property
    def labelled(self) -> Document:
        return Document(self.text, [answer.labelled for answer in self.sentences])


Corrections = Annotated[
    Dict[str, Any],
    Field(description="As in a file of corrections: `heads`, `labels`, `pos`, and so on."),
]


class ErrorAnswer(BaseModel):
    """What was found and what was expected, in one line."""

    error: str


class Picture(BaseModel, extra="forbid"):
    """What a picture looks like."""

    names: Optional[Tuple[str, str]] = Field(None, description="The names of both.")
    overlay: StrictBool = Field(
        False,
        description="Whether to draw one picture with the words where `other` (default: `answer`) "
        "has them, and what only `other` has as ghosts.",
    )
    width: Optional[float] = Field(
        None, ge=100, le=20_000, description="In pixels; wide sentences are broken."
    )
    theme: Optional[Literal[THEMES]] = Field(  # type: ignore[valid-type]
        "auto", description="`null` for a page with its own stylesheet."
    )
    without: List[Literal["tags", "punctuation"]] = Field([], description="What to leave out.")
    probabilities: StrictBool = Field(True, description="Whether it has those that are known.")


class DrawInput(Picture):
    """An answer to draw."""

    answer: SentenceAnswer
    other: Optional[SentenceAnswer] = Field(None, description="Another answer, to compare.")


class EditInput(BaseModel, extra="forbid"):
    """A sentence and a person's corrections of it."""

    sentence: Annotated[
        Union[Annotated[SentenceAnswer, Tag("answer")], Annotated[StrictInt, Tag("number")]],
        Discriminator(lambda value: "number" if isinstance(value, int) else "answer"),
    ] = Field(description="As `/label` answered, or the number of a sentence of the corpus.")
    corrections: Corrections = {}
    picture: Optional[Picture] = Field(None, description="`null` for none.")


class EditAnswer(BaseModel):
    """The sentence with the corrections applied, and its picture if it was asked for."""

    answer: SentenceAnswer
    picture: Optional[str] = Field(description="An element `svg`, also a file of its own.")
    frames: List[WhoDoesWhat]
    broken_rules: List[str] = Field(
        description="Where the tree breaks a rule of Universal Dependencies."
    )


def _kind(answer: Any) -> str:
    keys = answer if isinstance(answer, dict) else ()
    return "document" if "sentences" in keys and "words" not in keys else "sentence"


def _as_list(answers: Any) -> Any:
    return answers if isinstance(answers, list) else [answers]


Answer = Annotated[
    Union[Annotated[SentenceAnswer, Tag("sentence")], Annotated[DocumentAnswer, Tag("document")]],
    Discriminator(_kind),
]


class ConvertInput(BaseModel, extra="forbid"):
    """Answers to write in another format."""

    answers: Annotated[List[Answer], BeforeValidator(_as_list)] = Field(
        description="A list of answers, or one answer."
    )


class InfoAnswer(BaseModel):
    """The model and the limits of the service."""

    model: str
    model_version: Optional[str] = Field(None, description="`null` if it was not exported.")
    model_sha256: Optional[str] = Field(
        None,
        description="Of the weights, as in its `model.json`, or of the archive; `null` for the "
        "folder of a training.",
    )
    version: str
    has_parse: bool = Field(description="Whether answers have `predicted_heads`.")
    reads_text: bool = Field(description="Whether it labels text, without given tags.")
    has_attention: bool = Field(description="Whether the model has a syntactic head.")
    has_probabilities: bool
    predicts_senses: bool
    formats: List[str]
    head_tags: List[str]
    pos_tags: List[str] = []
    universal_tags: List[str] = sorted(UNIVERSAL_TAGS)
    meanings: Annotated[Dict[str, str], Field(description="What tags, relations, roles mean.")] = {}
    roles: Annotated[List[str], Field(description="Those that `given_roles` may have.")] = []
    corpus: Annotated[bool, Field(description="Whether there is a corpus to correct.")] = False
    saves: Annotated[bool, Field(description="Whether corrections are written.")] = False
    teaches: Annotated[bool, Field(description="Whether accepted sentences teach at once.")] = False
    finds: Annotated[bool, Field(description="Whether there are tables to ask.")] = False
    people: Annotated[List[str], Field(description="Two whose readings are chosen from.")] = []
    max_words: int
    max_bytes: int


class ListedSentence(BaseModel):
    """A sentence in a list of the corpus."""

    number: int
    text: str
    certainty: Optional[float] = Field(
        description="The mean of the probabilities of its labels; `null` if people made them."
    )
    differences: int = Field(description="The number of parts in which two people differ.")
    mark: Literal["", "corrected", "accepted", "commented"]


class ListAnswer(BaseModel):
    """Sentences of the corpus, and how many there are in all, corrected, accepted and found."""

    total: int
    corrected: int
    accepted: int
    found: int
    sentences: List[ListedSentence]


class PartChoice(BaseModel):
    """What a person has in a part of a sentence."""

    text: str
    corrections: Corrections


class PartDifference(BaseModel):
    """A part of a sentence in which two people differ."""

    part: str
    token: int = Field(description="Its word, from 0.")
    choices: Tuple[PartChoice, PartChoice]


class LearnedFrame(BaseModel):
    """A predicate that accepted sentences have taught to read otherwise."""

    predicate: int
    sentences: List[int] = Field(description="The numbers of those that have taught it.")
    corrections: Corrections = Field(description="Those that return to the model's own reading.")


class CorpusSentence(BaseModel):
    """A sentence of the corpus."""

    number: int
    place: str = Field(description="Its file and line.")
    given: List[str] = Field(description="What people annotated: `pos`, `parse`, `frames`.")
    start: Dict[str, Any] = Field(description="Its record before any correction.")
    own: Optional[Dict[str, Any]] = Field(description="The same before any lesson.")
    learned: List[LearnedFrame]
    saved: Optional[Dict[str, Any]] = Field(description="Its record with `corrections`.")
    version: str = Field(description="What a correction of it is based on.")
    differences: List[PartDifference] = []


class AlikeSentence(BaseModel):
    """A sentence with a word whose label may be wrong, too."""

    number: int
    text: str
    tokens: List[int] = Field(description="Where it has the word, from 0.")


class AlikeAnswer(BaseModel):
    """The sentences with a word and its label, or the first of them."""

    found: int
    word: str = Field(description="For rolesets, its lemma.")
    before: str = Field(description="The label that the word has in all of them.")
    sentences: List[AlikeSentence]


class SaveInput(BaseModel, extra="forbid"):
    """The corrections of a sentence; `null` if there are none any more."""

    corrections: Optional[Corrections]
    version: str = Field(description="The version of the sentence that they are based on.")


class SaveAnswer(BaseModel):
    """The new version of a sentence that has been written."""

    version: str


class LessonInput(BaseModel, extra="forbid"):
    """Whether the lesson counts."""

    used: bool


class MovedChoice(BaseModel):
    """A choice in an accepted sentence that the model would have made otherwise."""

    number: int = Field(description="Of the sentence.")
    predicate: str
    words: str = Field(description="Those of the span; empty for the choice of a roleset.")
    before: str = Field(description="The roleset or role of the model; `O` for no role.")
    after: str


class AcceptedPredicate(BaseModel):
    """A predicate in an accepted sentence."""

    number: int = Field(description="Of the sentence.")
    predicate: str
    roleset: str
    probability: Optional[float] = Field(description="That of its being one, by the model.")


class LessonAnswer(BaseModel):
    """What accepted sentences have taught."""

    sentences: int
    used: bool
    moved: List[MovedChoice]
    predicates: List[AcceptedPredicate] = Field(description="The least probable ones first.")


class RolesetAnswer(BaseModel):
    """A roleset of PropBank."""

    sense: str
    gloss: str
    roles: Dict[str, str] = Field(description="What the numbered roles mean.")
    functions: Dict[str, str] = Field(description="What they do in general, such as `agent`.")


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
    "roles": {
        "summary": "Tokens with a given role",
        "value": {
            "tokens": ["She", "sold", "him", "the", "car", "."],
            "given_roles": [{"index": 1, "spans": [["ARG1", 2, 2]]}],
        },
    },
    "document": {"summary": "A document", "value": {"text": "It rained. We stayed inside."}},
    "many": {
        "summary": "Many inputs",
        "value": ["It rained.", {"id": 7, "sentence": "We stayed inside."}],
    },
}

DRAW_EXAMPLES: Dict[str, Any] = {
    "sentence": {"summary": "A sentence", "value": {"answer": _GO, "theme": "light"}}
}

EDIT_EXAMPLES: Dict[str, Any] = {
    "sentence": {
        "summary": "A sentence with another tag and no predicate",
        "value": {
            "sentence": _GO,
            "corrections": {"pos": {"0": "VBP"}, "predicates": {"0": False}},
            "picture": {"theme": "light"},
        },
    }
}

CONVERT_EXAMPLES: Dict[str, Any] = {
    "sentence": {"summary": "A sentence", "value": {"answers": [_GO]}}
}
