"""Labels sentences with LISA and SA."""

import logging
import os
from dataclasses import replace
from mmap import mmap
from typing import TYPE_CHECKING, Any, Collection, List, Mapping, Optional, Sequence, Union

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import bad_value
from lisa_allennlp.decoding.adaptation import NO_SENSES, Adaptation, open_adaptation
from lisa_allennlp.decoding.confidence import check_share
from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.trees import check_parse_decoder
from lisa_allennlp.english.auxiliaries import without_auxiliaries
from lisa_allennlp.english.languages import find_morphology
from lisa_allennlp.labelling.glosses import Glosses
from lisa_allennlp.labelling.labeller import Labeller, check_switch, filled
from lisa_allennlp.labelling.options import LisaOptions, Path, RoleOptions
from lisa_allennlp.labelling.parse_sources import ParseSource
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.roles import span_labels
from lisa_allennlp.sentence.sentence import GivenFrame, Parse, Sentence
from lisa_allennlp.text.tokens import unescape_token

if TYPE_CHECKING:
    from typing_extensions import Unpack

logger = logging.getLogger(__name__)

_TREE_KEYS = ("head_indices", "head_tags", "allow_cycles")


class LisaLabeller(Labeller):
    """
    Labels sentences with a `lisa` model. The optional keys of an input are `head_indices` (1-based,
    0 for the root, as in CoNLL-U) and `head_tags`, which inject a parse, and `predicates` (0-based
    positions), which replaces predicate detection. The parse may have several roots, but cycles
    only with `allow_cycles`. `pos` has the tags for a `parser` that reads tags; by default it reads
    the tags that the model predicts. `given_roles` has what is known of predicates, as objects with
    `index` and any of `sense` and `spans`; these remain as they are, and the model labels the rest.

    A model with a `predicate_indicator_embedding` requires `predicates` and encodes a sentence once
    per predicate. The result has the frames of all encodings, and the tags and the tree of the
    first.

    >>> import lisa_allennlp
    >>> lisa = lisa_allennlp.load("english-fast")
    >>> lisa({"tokens": ["Dogs", "bark", "."], "predicates": [1]})
    <Sentence 'Dogs bark .' | bark: [ARG0: Dogs] [V: bark]>

    # Parameters

    engine : `Engine`
    parser : `ParseSource`, optional (default = `None`)
        Another parser, which `load` also takes as its config or path (`make_parse_source`). Its
        trees are injected into sentences without `head_indices`. The model, which must have a
        syntactic head, labels the arcs itself. A parser that reads tags knows the model's tag set.
    parse_decoder : `str`, optional (default = `"mst"`)
        `mst`, the best tree with a single root, or `argmax`, the best head of each token, as in the
        paper.
    frames : `Union[str, PathLike]`, optional (default = the environment variable `LISA_FRAMES`)
        A checkout of propbank/propbank-frames, which adds a gloss to each roleset and role. Without
        a `sense_tagger`, a model predicts no rolesets, and the environment variable is ignored.
    probabilities : `bool`, optional (default = `False`)
        Whether to fill the probabilities of tags, arcs, frames and role spans.
    min_probability : `float`, optional (default = the model's, which is 0 unless configured)
        Arguments with a less probable span are left out. Frames stay, even without arguments.
    adaptation : `Union[str, PathLike, Adaptation]`, optional
        What corrected sentences teach, or a file of it that `lisa adapt` wrote. The model predicts
        rolesets.
    auxiliaries : `bool`, optional (default = `True`)
        Whether answers have the frames of auxiliaries ("was" in "was sold", `be.03`), which have no
        roles. Predicates that the input names stay.
    ignore_trees : `bool`, optional (default = `False`)
        Whether to predict trees where an input has one, also of annotated files.
    language, processes :
        As for `Labeller`.
    """

    keys = ("head_indices", "head_tags", "allow_cycles", "predicates", "given_roles", "pos")
    output_formats = ("json", "conllu", "conllup", "props", "conll05")
    has_probabilities = True
    takes = LisaOptions

    def __init__(
        self,
        engine: Engine,
        parser: Optional[ParseSource] = None,
        frames: Optional[Path] = None,
        ignore_trees: bool = False,
        language: Optional[str] = None,
        processes: int = 1,
        **options: "Unpack[RoleOptions]",
    ) -> None:
        super().__init__(engine, language, processes)
        check_switch("ignore_trees", ignore_trees)
        self.options = _label_options(engine, **options)
        self._ignores_trees = ignore_trees
        # Forked processes share it, so that there is one note.
        self._has_noted_relations = mmap(-1, 1)
        self._pos_tags = list(engine.pos_tags or ())
        if parser is not None and not self.has_parse:
            raise ConfigurationError(
                "parser: found a model without a syntactic head; expected a LISA model"
            )
        self._parser = parser
        parser_tags = None if parser is None else parser.pos_tags
        self.reads_tags = parser_tags is not None
        if parser_tags is not None:
            _check_tag_set(self._pos_tags, parser_tags)
        self._glosses = _make_glosses(frames, engine.predicts_senses)
        morphology = find_morphology(self._pos_tags, engine.language)
        self._morphology = morphology if self.has_parse else None

    def read(self, content: Any) -> Request:
        if self._ignores_trees and isinstance(content, Sentence):
            content = replace(content, parse=None, injected_parse=None)
        elif self._ignores_trees and isinstance(content, Mapping):
            content = {key: value for key, value in content.items() if key not in _TREE_KEYS}
        request = super().read(content)
        if request.sentence.pos is not None and not self.reads_tags:
            expected = "no tags, which only a `parser` that reads tags needs"
            raise bad_value("`pos`", content["pos"], expected)
        self.check_given(request, content)
        return request

    def check_given(self, request: Request, content: Any) -> None:
        """Raises a `ConfigurationError` for predicates, a tree or roles unfit for the model."""
        if self.engine.needs_predicates and request.predicates is None:
            raise bad_value(
                "the input",
                content,
                "also `predicates`, their 0-based positions: this model labels the roles of given "
                "predicates",
            )
        if request.head_indices is not None and not self.has_parse:
            expected = "no tree, as this model has no syntactic head"
            raise bad_value("`head_indices`", content["head_indices"], expected)
        for frame in request.given_roles:
            self.check_roles(frame)

    def check_roles(self, frame: GivenFrame) -> None:
        """Raises a `ConfigurationError` for a span that the model's labels cannot express."""
        labels = self.engine.role_labels
        for span in frame.get("spans", ()):
            if not set(labels).issuperset(span_labels(span)):
                prefix = "B-" if span.first == span.last else "I-"
                roles = sorted(label[2:] for label in labels if label.startswith(prefix))
                words = "one word" if prefix == "B-" else "several words"
                expected = f"O or a role that the model knows for {words}: {', '.join(roles)}"
                raise bad_value(f"`given_roles` of predicate {frame['index']}", span, expected)

    def simplest_request(self) -> Request:
        return replace(super().simplest_request(), predicates=[1])

    def label_words(self, requests: Sequence[Request], options: LabelOptions) -> List[Sentence]:
        requests = self._with_parses(requests)
        self._note_unknown_relations(requests)
        runs = [self._runs(request) for request in requests]
        labelled = iter(self.engine.label([run for group in runs for run in group], options))
        return [
            self._finish(request, [next(labelled) for _ in group], options)
            for request, group in zip(requests, runs, strict=True)
        ]

    def _note_unknown_relations(self, requests: Sequence[Request]) -> None:
        """Warns once of given relations that the model does not know."""
        if self._has_noted_relations[0]:
            return
        given = {tag for request in requests for tag in request.head_tags or ()}
        known = {_universal(tag) for tag in ("_", *self.head_tags)} if given else set()
        if found := sorted(tag for tag in given if _universal(tag) not in known):
            self._has_noted_relations[0] = True
            logger.warning(
                "found given trees with relations that the model does not know, such as %s. They "
                "are kept, but another scheme can spoil the roles; to predict trees instead, use "
                "--ignore-trees (in Python: ignore_trees=True)",
                _some(found, 10),
            )

    def _runs(self, request: Request) -> List[Request]:
        """Makes one request per predicate for a model that reads predicates."""
        if not self.engine.needs_predicates:
            return [request]
        marks = request.predicates or []
        chosen = [t for t, is_predicate in enumerate(marks) if is_predicate]
        runs = [
            replace(
                request,
                predicates=[int(t == predicate) for t in range(len(marks))],
                given_roles=[f for f in request.given_roles if f["index"] == predicate],
            )
            for predicate in chosen
        ]
        return runs or [replace(request, predicates=[0] * len(marks))]

    def _with_parses(self, requests: Sequence[Request]) -> Sequence[Request]:
        if self._parser is None:
            return requests
        parsed = [request for request in requests if request.head_indices is None]
        bare = [request.sentence for request in parsed]
        # Other parsers expect plain brackets, not -LRB-.
        inputs = [Sentence([unescape_token(word) for word in s.words], pos=s.pos) for s in bare]
        if self.reads_tags:
            untagged = [self._runs(r)[0] for r in parsed if r.sentence.pos is None]
            predicted = iter(self.engine.predict_pos(untagged))
            inputs = [s if s.pos is not None else replace(s, pos=next(predicted)) for s in inputs]
        trees = iter(self._parser.parse(inputs))
        return [
            replace(request, head_indices=next(trees)) if request.head_indices is None else request
            for request in requests
        ]

    def _finish(
        self, request: Request, labelled: List[Sentence], options: LabelOptions
    ) -> Sentence:
        """Joins the runs, restores given relations, leaves out auxiliaries, and adds glosses."""
        sentence = labelled[0]
        if len(labelled) > 1:
            frames = [frame for run in labelled for frame in run.frames or []]
            sentence = replace(sentence, frames=frames)
        if request.head_tags is not None and sentence.parse is not None:
            tags = filled(request.head_tags, sentence.parse.head_tags)
            parse = replace(sentence.parse, head_tags=tags or [])
            # The probabilities are those of the model's own labels.
            sentence = replace(sentence, parse=parse, head_probabilities=None)
        if not options.auxiliaries:
            sentence = without_auxiliaries(sentence, request.named_predicates)
        return sentence if self._glosses is None else self._glosses.add_to(sentence)

    def nothing(self, sentence: Sentence, options: LabelOptions) -> Sentence:
        matrix = numpy.zeros((0, 0)) if options.details and self.has_parse else None
        return replace(
            sentence,
            pos=[],
            frames=[],
            parse=Parse([], []) if self.has_parse else None,
            morphology=self._morphology,
            predicate_probabilities=[],
            pos_probabilities=[] if options.probabilities else None,
            head_probabilities=[] if options.probabilities and self.has_parse else None,
            arc_scores=matrix,
            attention=matrix,
        )


def _label_options(
    engine: Engine,
    parse_decoder: str = LabelOptions.parse_decoder,
    probabilities: bool = False,
    min_probability: Optional[float] = None,
    adaptation: Optional[Union[Path, Adaptation]] = None,
    auxiliaries: bool = True,
) -> LabelOptions:
    check_parse_decoder(parse_decoder)
    if min_probability is not None:
        check_share("min_probability", min_probability)
    check_switch("probabilities", probabilities)
    check_switch("auxiliaries", auxiliaries)
    if adaptation is not None and not engine.predicts_senses:
        raise ConfigurationError(NO_SENSES)
    if isinstance(adaptation, (str, os.PathLike)):
        adaptation = open_adaptation(adaptation, engine.weights)
    return LabelOptions(
        parse_decoder,
        probabilities=probabilities,
        min_probability=min_probability,
        auxiliaries=auxiliaries,
        adaptation=adaptation,
    )


def _make_glosses(frames: Optional[Path], predicts_senses: bool) -> Optional[Glosses]:
    if frames is not None and not predicts_senses:
        raise ConfigurationError(
            "frames: found a model that predicts no senses; expected one with a sense_tagger"
        )
    if frames is not None and not isinstance(frames, (str, os.PathLike)):
        raise ConfigurationError(f"frames is {frames!r}; expected the path of a folder")
    folder = frames or os.environ.get("LISA_FRAMES")
    return Glosses(folder) if folder and predicts_senses else None


def _check_tag_set(own: Sequence[str], parser_tags: Collection[str]) -> None:
    unknown = [tag for tag in own if tag not in parser_tags]
    if 2 * len(unknown) > len(own):
        raise ConfigurationError(
            f"parser: found a parser trained on the tags {_some(sorted(parser_tags))}, which lack "
            f"{len(unknown)} of the {len(own)} tags that LISA predicts: {_some(unknown)}; expected "
            "a parser trained on the same tag set (its reader's use_language_specific_pos)"
        )


def _universal(relation: str) -> str:
    return relation.partition(":")[0].lower()


def _some(tags: Sequence[str], most: int = 5) -> str:
    return ", ".join(tags[:most]) + " ..." * (len(tags) > most) if tags else "(none)"
