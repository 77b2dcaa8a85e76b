"""
Labels sentences with several models as one, the teacher of the later rounds of `english`:

- arcs by the mean of the log-probabilities of all models, parsers among them; the best trees are
  injected into each LISA;
- the labels of arcs by the same mean, tags and predicates by that of the LISAs, roles by the mean
  of the scores and of the transitions of their CRFs;
- senses by the first LISA.

The LISAs have graphs and equal labels. Scores on a treebank:

```
python -m experiments.english.ensemble --lisa english english-fast --parser dm/model.tar.gz \
    --evaluate ewt-dev.gold_conll
```
"""

import argparse
import json
from pathlib import Path
from typing import Any, Iterable, List, Optional, Sequence

import numpy
import torch
from allennlp.nn.util import get_text_field_mask

import lisa_allennlp
from lisa_allennlp import pretrained
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.confidence import Confidence
from lisa_allennlp.decoding.decoder import Decoder
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.decoding.trees import log_softmax, mst_heads
from lisa_allennlp.inference.batches import batches_of_similar_length
from lisa_allennlp.inference.model import InferenceModel
from lisa_allennlp.inference.network import EncodedSentences
from lisa_allennlp.training.metrics import (
    DependencyScore,
    PosAccuracy,
    PredicateScore,
    SenseAccuracy,
    SrlScore,
)


class Ensemble:
    """
    Labels sentences with LISAs, and with parsers beside them. Without `lisa_trees`, the trees are
    those of the parsers alone.
    """

    def __init__(
        self,
        lisas: Sequence[InferenceModel],
        parsers: Sequence["Parser"] = (),
        lisa_trees: bool = True,
    ) -> None:
        self.lisas, self._parsers, self._lisa_trees = lisas, parsers, lisa_trees
        first = lisas[0].decoder
        names = first.names
        for model in lisas[1:]:
            other = model.decoder.names
            if _labels(names) != _labels(other):
                raise ValueError(f"{model}: found other labels than those of {lisas[0]}")
        chains = [model.decoder.role_decoder.chain() for model in lisas]
        chain = LinearChain(*(numpy.mean(parts, axis=0) for parts in zip(*chains, strict=True)))
        self._decoder = Decoder(
            names,
            ChainDecoder(chain),
            # The context of senses is weighed against scores at this temperature.
            confidence=Confidence(sense_temperature=first.confidence.sense_temperature),
            well_formed_frames=True,
        )

    def label(self, sentences: Sequence[Sentence], max_tokens: int = 2000) -> List[Sentence]:
        """Returns labelled copies of sentences, in their order. All arguments are kept."""
        labelled = list(sentences)
        lengths = [len(sentence.words) for sentence in sentences]
        for positions in batches_of_similar_length(lengths, max_tokens):
            sources = [sentences[position] for position in positions]
            for position, result in zip(positions, self._label(sources), strict=True):
                labelled[position] = result
        return labelled

    def _label(self, sources: List[Sentence]) -> List[Sentence]:
        words = [source.words for source in sources]
        parsed = [parser.encode(sources) for parser in self._parsers]
        arcs = self._arc_scores(words, parsed)
        lengths = numpy.array(list(map(len, words)))
        heads = mst_heads(arcs, lengths)
        heads = numpy.where(numpy.arange(arcs.shape[1]) < lengths[:, None], heads, -1)
        encoded = [model.network.encode(words, heads) for model in self.lisas]
        return self._decoder.label(_Mean(encoded, arcs, parsed), sources)

    def _arc_scores(
        self, words: List[List[str]], parsed: Sequence["_ParsedBatch"]
    ) -> numpy.ndarray:
        """(B, T, T), zero at padding."""
        length = max(map(len, words))
        total = numpy.zeros((len(words), length, length), numpy.float32)
        batches: List[Any] = list(parsed)
        if self._lisa_trees:
            batches += [model.network.encode(words) for model in self.lisas]
        for batch in batches:
            for row, own in enumerate(words):
                part = row, slice(len(own)), slice(len(own))
                total[part] += log_softmax(batch.arc_scores[part])
        return total


class Parser:
    """A `deep_biaffine_parser` beside LISAs that have the labels of arcs `head_tags`."""

    def __init__(self, path: str, head_tags: Sequence[str]) -> None:
        # Its model's own functions give the scores.
        self._engine: Any = lisa_allennlp.load(path).engine
        own = self._engine.head_tags
        if set(own) != set(head_tags):
            raise ValueError(f"{path}: found other labels of arcs than those of the LISA")
        self._columns = [own.index(label) for label in head_tags]

    @torch.no_grad()
    def encode(self, sources: Sequence[Sentence]) -> "_ParsedBatch":
        """Returns the scores of a batch."""
        engine = self._engine
        tensors = engine._tensors([engine.instance(source, source.pos) for source in sources])
        mask = get_text_field_mask(tensors["words"])
        states = engine.model._encode(tensors["words"], tensors["pos_tags"], mask)
        return _ParsedBatch(engine.model, states, self._columns)


class _ParsedBatch:
    """What a parser makes of a batch. `arc_scores` are `(B, T, T)`."""

    def __init__(self, model: Any, states: torch.Tensor, columns: Sequence[int]) -> None:
        self._model, self._states, self._columns = model, states, columns
        self.arc_scores: numpy.ndarray = model._score_arcs(states).float().numpy()

    @torch.no_grad()
    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        """(B, T, L); the arguments and the result are as for `EncodedSentences`."""
        heads = torch.from_numpy(head_indices).clamp(min=0)
        scores = self._model._score_labels(self._states, heads).float().numpy()
        return scores[..., self._columns]


class _Mean:
    """The mean of several encodings of a batch, as an `EncodedBatch`."""

    def __init__(
        self,
        encoded: Sequence[EncodedSentences],
        arc_scores: numpy.ndarray,
        parsed: Sequence[_ParsedBatch],
    ) -> None:
        self._encoded, self._parsed = encoded, parsed
        self.lengths = encoded[0].lengths
        self.arc_scores = arc_scores
        self.joint_logits = numpy.mean([log_softmax(own.joint_logits) for own in encoded], axis=0)

    @property
    def head_indices(self) -> Optional[numpy.ndarray]:
        return self._encoded[0].head_indices

    def attending(self, head_indices: numpy.ndarray) -> "_Mean":
        encoded = [own.attending(head_indices) for own in self._encoded]
        return _Mean(encoded, self.arc_scores, self._parsed)

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        every: List[Any] = [*self._encoded, *self._parsed]
        scores = [log_softmax(own.score_head_tags(head_indices)) for own in every]
        return numpy.mean(scores, axis=0)

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        scores = [own.score_roles(sentence_indices, predicate_indices) for own in self._encoded]
        return numpy.mean(scores, axis=0)

    def score_senses(self, *arguments: Any) -> numpy.ndarray:
        return self._encoded[0].score_senses(*arguments)


def open_ensemble(
    lisas: Iterable[str], parsers: Iterable[str], lisa_trees: bool = True
) -> Ensemble:
    """Opens models by their names or paths."""
    models = [InferenceModel.open(pretrained.resolve(name)) for name in lisas]
    labels = models[0].decoder.names.head_tags
    return Ensemble(models, [Parser(path, labels) for path in parsers], lisa_trees)


def _labels(names: LabelNames) -> Sequence[Sequence[Any]]:
    return [names.pos, names.pos_of_joint, names.is_predicate, names.roles, names.head_tags]


def main() -> None:
    """Prints the scores on a treebank."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lisa", nargs="+", required=True, help="names, folders or archives")
    parser.add_argument("--parser", nargs="*", default=[], help="deep_biaffine_parsers")
    parser.add_argument("--evaluate", type=Path, required=True, help="a .gold_conll file")
    args = parser.parse_args()
    gold = list(Conll12SrlReader(senses=True).read_sentences(str(args.evaluate)))
    labelled = open_ensemble(args.lisa, args.parser).label([Sentence(s.words) for s in gold])
    scores = {}
    for metric in (SrlScore(), PosAccuracy(), PredicateScore(), DependencyScore(), SenseAccuracy()):
        metric(labelled, gold)
        scores.update(metric.get_metric())
    print(json.dumps({name: round(score, 2) for name, score in scores.items()}, indent=1))


if __name__ == "__main__":
    main()
