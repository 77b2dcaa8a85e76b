"""
Labels sentences with several models as one, the teacher of the second round of `english`:

- arcs by the mean of the log-probabilities of all models, parsers among them; the best trees are
  injected into each LISA;
- tags, predicates and the labels of arcs by the mean of the log-probabilities, roles by the mean of
  the scores and of the transitions of the CRFs;
- senses by the first LISA.

The LISAs are NumPy models with equal labels. Scores on a treebank:

```
python -m experiments.ensemble --lisa english english-fast --parser dm/model.tar.gz \
    --evaluate ewt-dev.gold_conll
```
"""

import argparse
import json
from pathlib import Path
from typing import Any, Callable, Iterable, List, Sequence

import numpy

import lisa_allennlp
from lisa_allennlp import pretrained
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.confidence import Confidence
from lisa_allennlp.decoding.decoder import Decoder
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.decoding.trees import mst_heads
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
        parsers: Sequence[Any] = (),
        lisa_trees: bool = True,
    ) -> None:
        self.lisas, self._parsers, self._lisa_trees = lisas, parsers, lisa_trees
        first = lisas[0]._decoder
        names = first._names
        for model in lisas[1:]:
            other = model._decoder._names
            if _labels(names) != _labels(other):
                raise ValueError(f"{model}: found other labels than those of {lisas[0]}")
        chains = [model._decoder._role_decoder.chain() for model in lisas]
        chain = LinearChain(*(numpy.mean(parts, axis=0) for parts in zip(*chains, strict=True)))
        self._decoder = Decoder(
            names,
            ChainDecoder(chain),
            # The context of senses is weighed against scores at this temperature.
            confidence=Confidence(sense_temperature=first._confidence.sense_temperature),
            well_formed_frames=True,
            role_context=first._role_context,
            token_context=first._token_context,
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
        arcs = self._arc_scores(sources, words)
        lengths = numpy.array(list(map(len, words)))
        heads = mst_heads(arcs, lengths)
        heads = numpy.where(numpy.arange(arcs.shape[1]) < lengths[:, None], heads, -1)
        encoded = [model._network.encode(words, heads) for model in self.lisas]
        return self._decoder.label(_Mean(encoded, arcs), sources, heads)

    def _arc_scores(self, sources: List[Sentence], words: List[List[str]]) -> numpy.ndarray:
        """(B, T, T), very low at padding."""
        length = max(map(len, words))
        total = numpy.zeros((len(words), length, length), numpy.float32)
        for model in self.lisas if self._lisa_trees else ():
            scores = model._network.encode(words).arc_scores
            assert scores is not None
            for row, own in enumerate(words):
                total[row, : len(own), : len(own)] += _log_softmax(
                    scores[row, : len(own), : len(own)]
                )
        for parser in self._parsers:
            for row, parsed in enumerate(parser.engine.label(sources, details=True)):
                size = len(words[row])
                total[row, :size, :size] += _log_softmax(parsed.arc_scores)
        return total


class _Mean:
    """The mean of several encodings of a batch, as an `EncodedBatch`."""

    def __init__(self, encoded: Sequence[EncodedSentences], arc_scores: numpy.ndarray) -> None:
        self._encoded = encoded
        self.lengths = encoded[0].lengths
        self.arc_scores = arc_scores
        self.joint_logits = self._mean(lambda own: _log_softmax(own.joint_logits))

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        return self._mean(lambda own: _log_softmax(own.score_head_tags(head_indices)))

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        return self._mean(lambda own: own.score_roles(sentence_indices, predicate_indices))

    def score_senses(self, *arguments: Any) -> numpy.ndarray:
        return self._encoded[0].score_senses(*arguments)

    def _mean(self, score: Callable[[EncodedSentences], numpy.ndarray]) -> numpy.ndarray:
        return sum(map(score, self._encoded[1:]), start=score(self._encoded[0])) / len(
            self._encoded
        )


def open_ensemble(
    lisas: Iterable[str], parsers: Iterable[str], lisa_trees: bool = True
) -> Ensemble:
    """Opens models by their names or paths."""
    models = [InferenceModel.open(pretrained.resolve(name)) for name in lisas]
    return Ensemble(models, list(map(lisa_allennlp.load, parsers)), lisa_trees)


def _log_softmax(scores: numpy.ndarray) -> numpy.ndarray:
    shifted = scores - scores.max(-1, keepdims=True)
    return shifted - numpy.log(numpy.exp(shifted).sum(-1, keepdims=True))


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
