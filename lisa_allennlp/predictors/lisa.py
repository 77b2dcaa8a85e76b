"""JSON to roles, trees and tags."""

from allennlp.predictors.predictor import Predictor

from lisa_allennlp.predictors.sentence_predictor import SentencePredictor


@Predictor.register("lisa")
class LisaPredictor(SentencePredictor):
    """
    Labels sentences with a `lisa` model. Input, options and answers are those of `LisaLabeller`
    and `Sentence.to_dict`.
    """

    labeller_name = "lisa"
