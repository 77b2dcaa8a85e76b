"""The component `lisa` of spaCy pipelines, which `factory` makes (docs/spacy.md)."""

import json
import shutil
import warnings
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from spacy.pipeline import Pipe
from spacy.scorer import PRFScore
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import ensure_path, minibatch

import lisa_allennlp
from lisa_allennlp.apps.spacy import doc_frames
from lisa_allennlp.apps.spacy.annotation import (
    DocSentence,
    argument_spans,
    doc_sentences,
    set_frames,
    set_parse,
    set_tags,
)
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import shown
from lisa_allennlp.common.threads import use_one_thread_in_forks
from lisa_allennlp.labelling.groups import InputError
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.models_on_disk.model_folder import BEST_NAME, STORED_NAME, opening
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.version import VERSION

_NAME, _ARCHIVE, _FOLDER = "model_name.json", "model.tar.gz", "model"
"""The parts of a saved model: its name, an archive, or an exported folder."""


class LisaComponent(Pipe):
    """
    Labels Docs with LISA or SA: tags, trees and frames of the Docs' own tokens.

    Registered as a factory of spaCy with name "lisa".

    # Parameters

    model : `str`, optional (default = `None`)
        A name or a path, as for `lisa_allennlp.load`; `None` is its default.
    set_tags : `bool`, optional (default = `True`)
        Whether to set `Token.tag_` and, if they are known, `Token.pos_` and `Token.lemma_`.
    parse : `str`, optional (default = `"lisa"`)
        `lisa` sets the heads and labels that LISA predicts, and sentence boundaries. `doc` lets
        LISA attend to the Doc's parse, which stays as it is. With `None`, LISA attends to its own
        parse without setting it.
    spans_key : `str`, optional (default = `"srl"`)
        The key in `Doc.spans` of the group of role spans; `None` for no group.
    load_options : `Dict[str, Any]`, optional
        Options of `lisa_allennlp.load`.
    """

    def __init__(
        self,
        name: str = "lisa",
        model: Optional[str] = None,
        set_tags: bool = True,
        parse: Optional[Literal["lisa", "doc"]] = "lisa",
        spans_key: Optional[str] = "srl",
        load_options: Optional[Dict[str, Any]] = None,
    ) -> None:
        self.name = name
        self._model = model
        self._set_tags = set_tags
        self._parse = parse
        self._spans_key = spans_key
        self._load_options = load_options or {}
        self._labeller: Optional[Labeller] = None
        self._path: Optional[Path] = None

    @property
    def labeller(self) -> Labeller:
        return self._labeller or self.load()

    def load(self) -> Labeller:
        """Raises a `ConfigurationError` if the model does not fit the config."""
        try:
            labeller = lisa_allennlp.load(self._model or pretrained.DEFAULT, **self._load_options)
        except ConfigurationError as error:
            raise ConfigurationError(f"[{self.name}] {error}") from error
        if not isinstance(labeller, LisaLabeller):
            raise ConfigurationError(f"[{self.name}] found {labeller}; expected LISA or SA")
        if self._parse is not None and not labeller.has_parse:
            raise ConfigurationError(
                f"[{self.name}] `parse` is '{self._parse}'; expected null, because the model in "
                f"{self._model} has no syntactic head"
            )
        if self._model and pretrained.is_model_file(self._model):
            # The working directory may change before the model is saved.
            self._path = Path(self._model).resolve()
        # `nlp.pipe` forks its processes.
        use_one_thread_in_forks()
        self._labeller = labeller
        return labeller

    def __call__(self, doc: Doc) -> Doc:
        for error in self._annotate([doc]):
            if error is not None:
                raise error
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Labels Docs in order. Sentences of `batch_size` Docs are batched together by length."""
        handle_error = self.get_error_handler()
        for docs in minibatch(stream, batch_size):
            for doc, error in zip(docs, self._annotate(docs), strict=True):
                if error is None:
                    yield doc
                else:
                    handle_error(self.name, self, [doc], error)

    def _annotate(self, docs: Sequence[Doc]) -> Iterator[Optional[Exception]]:
        read = [self._read(doc) for doc in docs]
        good = [sentences for sentences in read if not isinstance(sentences, Exception)]
        contents = (sentence.content for sentences in good for sentence in sentences)
        # Processes are those of `nlp.pipe`.
        labelled = self.labeller.pipe(contents, on_error="yield", processes=1)
        for doc, sentences in zip(docs, read, strict=True):
            if isinstance(sentences, Exception):
                yield sentences
            else:
                yield self._set(doc, sentences, [next(labelled) for _ in sentences])

    def _read(self, doc: Doc) -> Union[List[DocSentence], ConfigurationError]:
        try:
            labeller = self.labeller
            return doc_sentences(
                doc, self._parse == "doc", labeller.multiword_tokens, labeller.splitter
            )
        except ConfigurationError as error:
            return ConfigurationError(f"[{self.name}] {error.message}: {shown(doc.text)}")

    def _set(
        self,
        doc: Doc,
        sentences: Sequence[DocSentence],
        labelled: Sequence[Union[Sentence, InputError]],
    ) -> Optional[Exception]:
        good: List[Sentence] = []
        for sentence, labels in zip(sentences, labelled, strict=True):
            if isinstance(labels, InputError):
                text = shown(doc[sentence.start : sentence.end].text)
                return ConfigurationError(f"[{self.name}] {labels.reason}: {text}")
            good.append(labels)
        if self._set_tags:
            set_tags(doc, sentences, good)
        if self._parse == "lisa":
            set_parse(doc, sentences, good)
        set_frames(doc, sentences, good)
        if self._spans_key is not None:
            doc.spans[self._spans_key] = [s for frame in doc_frames(doc) for s in frame.roles]
        return None

    def score(self, examples: Iterable[Example], **_: Any) -> Dict[str, Any]:
        """
        Compares predicted frames with reference frames, for `nlp.evaluate`. An argument is right if
        its predicate, role and characters are; a role and its continuations (`C-`) count as one.
        Predicates (`V`) are not scored. Scores are from 0 to 1.
        """
        score = PRFScore()
        for example in examples:
            score.score_set(argument_spans(example.predicted), argument_spans(example.reference))
        return {"srl_p": score.precision, "srl_r": score.recall, "srl_f": score.fscore}

    def to_disk(self, path: Union[str, Path], *, exclude: Iterable[str] = ()) -> None:
        """Saves a copy of the model, or its name if it comes with the package."""
        if self._labeller is None:
            self.load()
        save_model(self._path or self._model, ensure_path(path))

    def from_disk(self, path: Union[str, Path], *, exclude: Iterable[str] = ()) -> "LisaComponent":
        with opening(f"[{self.name}]"):
            model = saved_model(ensure_path(path))
        if self._labeller is None or model != self._model:
            self._model, self._path = model, None
            self.load()
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        # `nlp.pipe` pickles components where it spawns its processes instead of forking them. Each
        # loads the model again.
        model = self._model if self._path is None else str(self._path)
        settings = (self.name, model, self._set_tags, self._parse, self._spans_key)
        return _restored, ((*settings, self._load_options), self.get_error_handler())


def _restored(settings: Tuple[Any, ...], error_handler: Callable[..., Any]) -> LisaComponent:
    component = LisaComponent(*settings)
    component.set_error_handler(error_handler)
    return component


def save_model(model: Union[Path, str, None], folder: Path) -> None:
    """
    Saves a model in a folder, and replaces an earlier one. A path (absolute) is copied, so that the
    pipeline works on any machine. A model of the package is saved as its name, `None` for the
    default one, and the package's version.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(model, Path):
        if model.parent == folder.resolve():
            return
        if not model.exists():
            raise ConfigurationError(
                f"{model}: found no model any more; expected the model, to copy it"
            )
    for name in (_NAME, _ARCHIVE):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / _FOLDER, ignore_errors=True)
    if not isinstance(model, Path):
        saved = {"model": model, "lisa_allennlp": VERSION}
        (folder / _NAME).write_text(json.dumps(saved), encoding="utf-8")
    elif model.is_file():
        shutil.copyfile(model, folder / _ARCHIVE)
    elif pretrained.is_exported(str(model)):
        shutil.copytree(model, folder / _FOLDER)
    else:
        from allennlp.models.archival import archive_model, get_weights_path

        from lisa_allennlp.models_on_disk.pretrained import GRAPHS_NAME

        weights = Path(get_weights_path(model)).name
        names = [BEST_NAME, pretrained.NETWORK_NAME, GRAPHS_NAME, STORED_NAME]
        archive_model(model, weights, folder / _ARCHIVE, names)


def saved_model(folder: Path) -> Optional[str]:
    """Returns the path or the name of the model that `save_model` wrote."""
    for name in (_ARCHIVE, _FOLDER):
        if (folder / name).exists():
            return str(folder / name)
    if not (folder / _NAME).exists():
        raise ConfigurationError(f"{folder}: found no model; expected what `to_disk` saved")
    saved = json.loads((folder / _NAME).read_text(encoding="utf-8"))
    if saved["lisa_allennlp"] != VERSION:
        warnings.warn(
            f"{folder}: found a pipeline that was saved with lisa-allennlp "
            f"{saved['lisa_allennlp']}; the model of {VERSION} may label differently",
            stacklevel=2,
        )
    return saved["model"]
