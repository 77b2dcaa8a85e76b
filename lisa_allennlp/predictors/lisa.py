"""The predictor of LISA and SA."""

from allennlp.predictors.predictor import Predictor

from lisa_allennlp.predictors.sentence_predictor import SentencePredictor


@Predictor.register("lisa")
class LisaPredictor(SentencePredictor):
    """
    Labels sentences with a `lisa` model. `LisaLabeller` describes the input and the options,
    `Sentence.to_dict` the output.

    >>> Predictor.by_name("lisa")
    <class 'lisa_allennlp.predictors.lisa.LisaPredictor'>
    """

    labeller_name = "lisa"
