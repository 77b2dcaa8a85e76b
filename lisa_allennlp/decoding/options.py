"""The options of labelling."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from lisa_allennlp.decoding.adaptation import Lesson


@dataclass(frozen=True)
class LabelOptions:
    """
    How sentences are labelled, and what is reported of them.

    # Parameters

    parse_decoder : `str`, optional (default = `"mst"`)
        `argmax`, the best head of each token, as in the paper; or `mst`, the best tree with a
        single root, where only the arc from the root has the label `root`.
    details : `bool`, optional (default = `False`)
        Whether to fill the sentences' `arc_scores` and `attention`.
    probabilities : `bool`, optional (default = `False`)
        Whether to fill the probabilities of tags, heads, frames and spans.
    min_probability : `float`, optional (default = the limits of the model's `Confidence`)
        Arguments with a lower probability, core ones as well, are left out.
    force_verb : `bool`, optional (default = `True`)
        Whether each frame has one V, which begins at its predicate. If not, V is predicted as other
        roles are, as by the authors' code.
    auxiliaries : `bool`, optional (default = `True`)
        Whether predicted frames of auxiliaries, as `is_auxiliary` tells them, are reported.
    beta : `float`, optional
        Whether a supertagger adds candidates: all categories with a probability of at least `beta`
        times that of the best one.
    adaptation : `Lesson`, optional
        What corrected sentences teach: an `Adaptation`.
    """

    parse_decoder: str = "mst"
    details: bool = False
    probabilities: bool = False
    min_probability: Optional[float] = None
    force_verb: bool = True
    auxiliaries: bool = True
    beta: Optional[float] = None
    adaptation: Optional["Lesson"] = None
