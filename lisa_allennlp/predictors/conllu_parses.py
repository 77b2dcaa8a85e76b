"""JSON or a corpus to a CoNLL-U file of predicted trees, which LISA can attend to."""

from allennlp.predictors.predictor import Predictor

from lisa_allennlp.predictors.sentence_predictor import SentencePredictor


@Predictor.register("conllu_parses")
class ConlluParsesPredictor(SentencePredictor):
    """
    Parses sentences with a `deep_biaffine_parser` and prints them in CoNLL-U, words, tags (as
    XPOS) and trees:

        lisa predict MODEL DATA.conllu --use-dataset-reader --output-file DATA.dm.conllu --silent

    The input is a CoNLL-U file as there, with trees (which do not matter) or without (`_`); or
    JSON lines as `ParserLabeller` wants them.
    """

    labeller_name = "conllu_parses"
