"""JSON to supertags."""

from allennlp.predictors.predictor import Predictor

from lisa_allennlp.predictors.sentence_predictor import SentencePredictor


@Predictor.register("ccg_supertagger")
class CcgSupertaggerPredictor(SentencePredictor):
    """
    Supertags sentences with a `ccg_supertagger`. Input, options and answers are those of
    `SupertagLabeller` and `Sentence.to_dict`; `output_format` may also be `pipes`, the line
    `word|POS|category ...` of the C&C tools, or `multitags`, all categories of each word as the C&C
    parser reads them.
    """

    labeller_name = "ccg_supertagger"
