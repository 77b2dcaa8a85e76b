"""Labels sentences with LISA and SA."""

import copy
import dataclasses
import os
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Union, cast

import numpy
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import MetadataField
from allennlp.models import Model

from lisa_allennlp.data.fields import IGNORED_LABEL, LabelsField, SentenceField
from lisa_allennlp.data.formats.tokens import unescape_token
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.labelling.errors import bad_value
from lisa_allennlp.labelling.glosses import Glosses
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.parse_sources import ParseSource
from lisa_allennlp.labelling.requests import Request
from lisa_allennlp.models.confidence import check_min_probability
from lisa_allennlp.models.label_names import LabelNames
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.modules.dependency_decoding import check_parse_decoder

_GIVEN_POS = "given_pos"


@Labeller.register("lisa")
class LisaLabeller(Labeller):
    """
    Labels sentences with a `lisa` model. The optional keys of an input are `head_indices` (1-based,
    0 for the root, as in CoNLL-U) and `head_tags`, which inject a parse, and `predicates` (0-based
    positions), which replaces predicate detection. The parse may have several roots, but cycles
    only with `allow_cycles`. `pos` has the tags for a `parser` that reads tags; by default it reads
    the tags that the model predicts.

    A model with a `predicate_indicator_embedding` requires `predicates` and encodes a sentence once
    per predicate. The result has the frames of all encodings, and the tags and the tree of the
    first.

    >>> import lisa_allennlp.plugin
    >>> from allennlp.data import Vocabulary
    >>> from lisa_allennlp.data.dataset_readers.conll12_srl import Conll12SrlReader
    >>> labels = {"joint_tags": ["VB:predicate"], "role_labels": ["B-V"], "head_tags": ["root"]}
    >>> embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}}
    >>> encoder = {
    ...     "type": "syntactically_informed_self_attention",
    ...     "num_layers": 2,
    ...     "num_heads": 2,
    ...     "predicate_layer": 1,
    ...     "parse_layer": 2,
    ... }
    >>> config = {"type": "lisa", "text_field_embedder": embedder, "encoder": encoder}
    >>> model = Model.from_params(Params(config), vocab=Vocabulary(tokens_to_add=labels)).eval()
    >>> lisa = LisaLabeller(model, Conll12SrlReader())
    >>> lisa({"tokens": ["Run"], "predicates": [0]})
    <Sentence 'Run' | Run: [V: Run]>

    # Parameters

    model, dataset_reader, **options :
        As for `Labeller`. The reader is one of the SRL readers.
    parser : `Union[ParseSource, Dict[str, Any], str, PathLike]`, optional (default = `None`)
        Another parser, or its config such as `{"type": "spacy", "model": "en_core_web_sm"}`, or the
        path of a trained `deep_biaffine_parser`, short for `{"type": "archive", "path": ...}`. Its
        trees are injected into sentences without `head_indices`. The model labels the arcs itself.
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

    # Raises

    `ConfigurationError`
        If there is a `parser` but the model has no syntactic head; if the parser reads tags of
        another tag set; if `frames` is given but the model predicts no rolesets; or if an option
        has a value that it cannot have.
    `CorpusFormatError`
        If `frames` has no frame files.
    """

    keys = ("head_indices", "head_tags", "allow_cycles", "predicates", "pos")
    output_formats = ("json", "conllu", "props", "conll05")

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        parser: Optional[Union[ParseSource, Dict[str, Any], str, os.PathLike]] = None,
        parse_decoder: str = "mst",
        frames: Optional[Union[str, os.PathLike]] = None,
        probabilities: bool = False,
        min_probability: Optional[float] = None,
        **options: Any,
    ) -> None:
        super().__init__(model, dataset_reader, **options)
        check_parse_decoder(parse_decoder)
        self._parse_decoder = parse_decoder
        if min_probability is not None:
            check_min_probability(min_probability)
        if not isinstance(probabilities, bool):
            raise ConfigurationError(f"probabilities is {probabilities!r}; expected true or false")
        self._probabilities = probabilities
        self._min_probability = min_probability
        self._needs_predicates: bool = getattr(model, "needs_predicates", False)
        self.has_parse = getattr(model, "predicts_parse", False)
        if parser is not None and not self.has_parse:
            raise ConfigurationError(
                "parser: found a model without a syntactic head; expected a LISA model"
            )
        self._parser = _make_parse_source(parser, str(self._device()))
        self._parser_reads_tags = self._parser is not None and self._parser.pos_tags is not None
        if self._parser is not None and self._parser.pos_tags is not None:
            _check_tag_set(LabelNames(model.vocab).pos, self._parser.pos_tags)
        self._glosses = _make_glosses(frames, getattr(model, "predicts_senses", False))

    def options(self) -> Dict[str, Any]:
        return {
            "parse_decoder": self._parse_decoder,
            "probabilities": self._probabilities,
            "min_probability": self._min_probability,
        }

    def with_probabilities(self) -> "LisaLabeller":
        """The same labeller, with the same model, that fills the probabilities."""
        other = copy.copy(self)
        other._probabilities = True
        return other

    def read(self, content: Any) -> Request:
        request = super().read(content)
        if self._needs_predicates and request.predicates is None:
            raise bad_value(
                "the input",
                content,
                "also `predicates`, their 0-based positions: this model labels the roles of given "
                "predicates",
            )
        if request.head_indices is not None and not self.has_parse:
            expected = "no tree, as this model has no syntactic head"
            raise bad_value("`head_indices`", content["head_indices"], expected)
        if request.sentence.pos is not None and not self._parser_reads_tags:
            expected = "no tags, which only a `parser` that reads tags needs"
            raise bad_value("`pos`", content["pos"], expected)
        return request

    def simplest_request(self) -> Request:
        return dataclasses.replace(super().simplest_request(), predicates=[1])

    def label_instances(
        self, instances: Sequence[Instance], details: bool = False
    ) -> List[Sentence]:
        """As in `Labeller`, with glosses if there are `frames`."""
        labelled = super().label_instances(instances, details)
        if self._glosses is None:
            return labelled
        return [self._glosses.add_to(sentence) for sentence in labelled]

    def instances(self, request: Request) -> List[Instance]:
        if not self._needs_predicates:
            return [self._instance(request, request.predicates, "given_predicates")]
        assert request.predicates is not None
        length = len(request.predicates)
        chosen = [t for t, is_predicate in enumerate(request.predicates) if is_predicate]
        one_hot = [[int(t == predicate) for t in range(length)] for predicate in chosen]
        return [
            self._instance(request, indicator, "predicate_indicator")
            for indicator in one_hot or [[0] * length]
        ]

    def _instance(self, request: Request, predicates: Optional[List[int]], field: str) -> Instance:
        instance = self.instance(request.sentence)
        if request.head_indices is not None:
            self._add_labels(instance, "injected_head_indices", request.head_indices)
        if predicates is not None:
            self._add_labels(instance, field, predicates)
        if request.sentence.pos is not None:
            instance.add_field(_GIVEN_POS, MetadataField(request.sentence.pos))
        return instance

    def _add_labels(self, instance: Instance, name: str, labels: Sequence[int]) -> None:
        instance.add_field(name, LabelsField(labels, self._tokens(instance)))

    def complete(self, instances: Sequence[Instance]) -> Sequence[Instance]:
        """Adds the parser's trees, and the fields that only some of the instances have."""
        # The caller's instances must not change.
        instances = [Instance(dict(instance.fields)) for instance in instances]
        if self._parser is not None:
            self._inject_parses(self._parser, instances)
        for instance in instances:
            instance.fields.pop(_GIVEN_POS, None)
        for name in ("injected_head_indices", "given_predicates"):
            if any(name in instance for instance in instances):
                for instance in instances:
                    if name not in instance:
                        unknown = [IGNORED_LABEL] * len(self._tokens(instance))
                        self._add_labels(instance, name, unknown)
        return instances

    def _inject_parses(self, parser: ParseSource, instances: Sequence[Instance]) -> None:
        bare = [instance for instance in instances if "injected_head_indices" not in instance]
        # A sentence has one tree, however many instances it has.
        first: Dict[int, Instance] = {}
        for instance in bare:
            first.setdefault(id(_sentence(instance)), instance)
        # Other parsers expect plain brackets, not -LRB-.
        sentences = [
            Sentence([unescape_token(word) for word in _sentence(instance).words])
            for instance in first.values()
        ]
        if self._parser_reads_tags:
            tags = self._tags(list(first.values()))
            sentences = [
                dataclasses.replace(sentence, pos=pos)
                for sentence, pos in zip(sentences, tags, strict=True)
            ]
        trees = dict(zip(first, parser.parse(sentences), strict=True))
        for instance in bare:
            heads = trees[id(_sentence(instance))]
            self._add_labels(instance, "injected_head_indices", heads)

    def _tags(self, instances: Sequence[Instance]) -> List[List[str]]:
        """The given tags of each instance, or those that the model predicts."""
        names = ("tokens", "metadata", "predicate_indicator")
        untagged = [
            Instance({name: instance[name] for name in names if name in instance})
            for instance in instances
            if _GIVEN_POS not in instance
        ]
        predicted = iter(self.in_batches(untagged, cast(Lisa, self.model).predict_pos))
        return [
            cast(MetadataField, instance[_GIVEN_POS]).metadata
            if _GIVEN_POS in instance
            else next(predicted)
            for instance in instances
        ]

    def finish(self, request: Request, labelled: List[Sentence]) -> Sentence:
        """Joins the frames of all encodings and restores given arc labels."""
        sentence = labelled[0]
        if len(labelled) > 1:
            frames = [frame for reading in labelled for frame in reading.frames or []]
            sentence = dataclasses.replace(sentence, frames=frames)
        if request.head_tags is not None and sentence.parse is not None:
            parse = Parse(sentence.parse.head_indices, request.head_tags)
            # The probabilities are those of the model's own labels.
            sentence = dataclasses.replace(sentence, parse=parse, head_probabilities=None)
        return sentence

    def nothing(self, sentence: Sentence, details: bool = False) -> Sentence:
        matrix = numpy.zeros((0, 0)) if details and self.has_parse else None
        return dataclasses.replace(
            sentence,
            pos=[],
            frames=[],
            parse=Parse([], []) if self.has_parse else None,
            predicate_probabilities=[],
            pos_probabilities=[] if self._probabilities else None,
            head_probabilities=[] if self._probabilities and self.has_parse else None,
            arc_scores=matrix,
            attention=matrix,
        )


def _sentence(instance: Instance) -> Sentence:
    return cast(SentenceField, instance["metadata"]).metadata["sentence"]


def _make_parse_source(parser: Any, device: str) -> Optional[ParseSource]:
    if parser is None or isinstance(parser, ParseSource):
        return parser
    if isinstance(parser, (str, os.PathLike)):
        parser = {"type": "archive", "path": os.fspath(parser)}
    if not isinstance(parser, dict) or not isinstance(parser.get("type"), str):
        expected = 'a trained parser, or an object such as {"type": "spacy", "model": ...}'
        raise bad_value("`parser`", parser, expected)
    try:
        return ParseSource.from_params(Params(dict(parser)), device=device)
    except TypeError as error:
        # AllenNLP raises it for a value of the wrong type.
        raise ConfigurationError(f"parser: {error}") from error


def _make_glosses(
    frames: Optional[Union[str, os.PathLike]], predicts_senses: bool
) -> Optional[Glosses]:
    if frames is not None and not predicts_senses:
        raise ConfigurationError(
            "frames: found a model that predicts no senses; expected one with a sense_tagger"
        )
    if frames is not None and not isinstance(frames, (str, os.PathLike)):
        raise ConfigurationError(f"frames is {frames!r}; expected the path of a folder")
    folder = frames or os.environ.get("LISA_FRAMES")
    return Glosses(folder) if folder and predicts_senses else None


def _check_tag_set(own: Sequence[str], of_parser: FrozenSet[str]) -> None:
    """Checks that the parser knows at least half of the tags; rare ones may be new to it."""
    unknown = [tag for tag in own if tag not in of_parser]
    if 2 * len(unknown) > len(own):
        raise ConfigurationError(
            f"parser: found a parser trained on the tags {_some(sorted(of_parser))}, which lack "
            f"{len(unknown)} of the {len(own)} tags that LISA predicts: {_some(unknown)}; expected "
            "a parser trained on the same tag set (its reader's use_language_specific_pos)"
        )


def _some(tags: Sequence[str]) -> str:
    return ", ".join(tags[:5]) + " ..." * (len(tags) > 5) if tags else "(none)"
