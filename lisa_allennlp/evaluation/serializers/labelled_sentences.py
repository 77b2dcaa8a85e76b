"""Predictions for people: what a model makes readable, a line for each sentence."""

import json
from typing import Any, Callable, Dict, Optional

from allennlp.common.util import sanitize
from allennlp.data import DataLoader
from allennlp.evaluation.serializers.serializers import Serializer


@Serializer.register("labelled_sentences")
class LabelledSentencesSerializer(Serializer):
    """
    Writes each sentence of a batch as a line of JSON, as `lisa predict` does. AllenNLP's own
    serializer writes a line a batch, with the numbers that the network was given.
    """

    def __call__(
        self,
        batch: Dict[str, Any],
        output_dict: Dict[str, Any],
        data_loader: DataLoader,
        output_postprocess_function: Optional[Callable] = None,
    ) -> str:
        """
        # Parameters

        batch : `Dict[str, Any]`
            Not used.
        output_dict : `Dict[str, Any]`
            The output of the model's `forward`.
        data_loader : `DataLoader`
            Not used.
        output_postprocess_function : `Callable`, optional
            The model's `make_output_human_readable`: it makes lists with an item for each sentence.

        # Returns

        `str`
            As many lines as sentences, without the last line's end.
        """
        if output_postprocess_function is not None:
            output_dict = output_postprocess_function(output_dict)
        readable = sanitize(output_dict)
        rows = zip(*readable.values(), strict=True)
        return "\n".join(json.dumps(dict(zip(readable, row, strict=True))) for row in rows)
