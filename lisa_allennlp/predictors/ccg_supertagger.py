"""The predictor of the CCG supertagger."""

from allennlp.predictors.predictor import Predictor

from lisa_allennlp.predictors.sentence_predictor import SentencePredictor


@Predictor.register("ccg_supertagger")
class CcgSupertaggerPredictor(SentencePredictor):
    """
    Supertags sentences with a `ccg_supertagger`. `SupertagLabeller` describes the input and the
    options, `Sentence.to_dict` the output. Other output formats are `pipes`, a line
    `word|POS|category ...` as for the C&C tools, and `multitags`, all candidate categories of each
    word in the format of the C&C parser.

    >>> Predictor.by_name("ccg_supertagger")
    <class 'lisa_allennlp.predictors.ccg_supertagger.CcgSupertaggerPredictor'>
    """

    labeller_name = "ccg_supertagger"
