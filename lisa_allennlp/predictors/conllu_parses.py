"""The predictor of the Dozat & Manning parser."""

from allennlp.predictors.predictor import Predictor

from lisa_allennlp.predictors.sentence_predictor import SentencePredictor


@Predictor.register("conllu_parses")
class ConlluParsesPredictor(SentencePredictor):
    """
    Parses sentences with a `deep_biaffine_parser` and writes words, tags (as XPOS) and trees in
    CoNLL-U. LISA can inject these trees.

        lisa predict MODEL DATA.conllu --use-dataset-reader --output-file DATA.dm.conllu --silent

    The input is a CoNLL-U file, in which trees are ignored and may be missing (`_`). Without
    `--use-dataset-reader` it is JSON lines, as described in `ParserLabeller`.

    >>> Predictor.by_name("conllu_parses")
    <class 'lisa_allennlp.predictors.conllu_parses.ConlluParsesPredictor'>
    """

    labeller_name = "conllu_parses"
