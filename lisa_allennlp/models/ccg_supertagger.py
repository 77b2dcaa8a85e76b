"""The supertagger: a lexical category for each word."""

from dataclasses import replace
from itertools import islice
from typing import Any, Dict, List, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models.model import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from lisa_allennlp.data.formats.ccg.rare_category import RARE_CATEGORY
from lisa_allennlp.data.sentence import RankedSupertag, Sentence
from lisa_allennlp.models.label_names import label_strings
from lisa_allennlp.models.sentence_model import SentenceModel
from lisa_allennlp.modules.seq2seq_encoders.jordan_rnn import JordanRnn
from lisa_allennlp.nn.precision import Precision
from lisa_allennlp.training.metrics.supertag_accuracy import SupertagAccuracy

LABELS = "supertag_labels"


@Model.register("ccg_supertagger")
class CcgSupertagger(SentenceModel):
    """
    Predicts each word's supertag from an encoder's states ("A Dynamic Window Neural Network for
    CCG Supertagging"). The paper's networks differ in their encoders alone.

    # Parameters

    vocab : `Vocabulary`
        Its namespace `supertag_labels` is the category set. The rare symbol `@@RARE@@`, if it is
        there (`tokens_to_add`), stands in the loss for all other categories; it is never
        predicted. The namespaces `training_word_labels` and `frequent_supertag_labels`, which the
        reader `ccgbank_supertags` fills, tell which words are unseen and which supertags are rare
        (of those the vocabulary's `min_count` decides).
    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
        From embedded tokens to the states that the output layer reads, dropout included. A
        `jordan_rnn` brings its own output layer, which then is used.
    beta : `float`, optional (default = `1.0`)
        Which of a word's categories `make_output_human_readable` gives beside the best one: those
        whose probability is at least `beta` times the best one's (Clark and Curran 2007). From 0,
        all of them, to 1, the best one and those that are as good.
    top_k : `int`, optional (default = `5`)
        Of the metric `top<k>_accuracy`.
    precision : `str`, optional (default = `"float32"`)
        Of the matrix products after the embedder: `float32` or `bfloat16`. Scores, losses and
        probabilities are in single precision in any case.
    initializer : `InitializerApplicator`, optional

    # Raises

    `ConfigurationError`
        If sizes do not fit, or there are no supertags in the vocabulary, or `beta` is no number
        from 0 to 1, or there is no such `precision`.
    """

    default_predictor = "ccg_supertagger"
    _is_rare_symbol: torch.Tensor

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Seq2SeqEncoder,
        beta: float = 1.0,
        top_k: int = 5,
        precision: str = "float32",
        initializer: Optional[InitializerApplicator] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        embedded_dim, input_dim = text_field_embedder.get_output_dim(), encoder.get_input_dim()
        if embedded_dim != input_dim:
            raise ConfigurationError(
                f"the encoder's input_dim is {input_dim}; expected {embedded_dim}, the size of the "
                "embedded tokens"
            )
        self._text_field_embedder = text_field_embedder
        self._encoder = encoder
        self._names = label_strings(vocab, LABELS)
        # What can be predicted, which the rare symbol is not.
        self._num_supertags = len(self._names) - (RARE_CATEGORY in self._names)
        if self._num_supertags < 1:
            raise ConfigurationError(f"found no supertags in the vocabulary's namespace '{LABELS}'")
        self._output_layer = _output_layer(encoder, len(self._names))
        rare = torch.tensor([name == RARE_CATEGORY for name in self._names])
        self.register_buffer("_is_rare_symbol", rare, persistent=False)
        self._beta = check_beta(beta)
        self._accuracy = SupertagAccuracy(top_k)
        self._precision = Precision(precision)
        if initializer is not None:
            initializer(self)

    def forward(
        self,
        tokens: TextFieldTensors,
        metadata: List[Dict[str, Any]],
        supertags: Optional[torch.Tensor] = None,
        training_words: Optional[torch.Tensor] = None,
        frequent_supertags: Optional[torch.Tensor] = None,
    ) -> Dict[str, Any]:
        """
        # Parameters

        tokens : `TextFieldTensors`
        metadata : `List[Dict[str, Any]]`
            With the `Sentence` of each instance at `sentence`.
        supertags : `torch.LongTensor`, optional
            Shape `(batch_size, length)`: the gold supertags, -100 for those that the vocabulary
            does not have and for padding.
        training_words : `torch.LongTensor`, optional
            Shape `(batch_size, length)`; negative for words that are not in the training data.
        frequent_supertags : `torch.LongTensor`, optional
            Shape `(batch_size, length)`; negative for gold supertags that are rare there.

        # Returns

        `Dict[str, Any]`
            `loss` where gold supertags are there: the negative log-likelihood of a sentence's
            supertags (equation 23), a sum over its tokens, and the mean of that over the batch.
            Outside training also `sentences` (`List[Sentence]`), with supertags and, down to the
            model's `beta`, candidates.
        """
        mask = get_text_field_mask(tokens)
        logits = self._logits(tokens, mask)
        output: Dict[str, Any] = {}
        if supertags is not None:
            output["loss"] = torch.nn.functional.cross_entropy(
                logits.flatten(end_dim=1), supertags.flatten(), reduction="sum"
            ) / len(supertags)
            self._score(logits, mask, supertags, training_words, frequent_supertags)
        if not self.training:
            output["sentences"] = self._sentences(logits, mask, metadata, self._beta)
        return output

    def predict_sentences(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        metadata: List[Dict[str, Any]],
        beta: Optional[float] = None,
        details: bool = False,
        **gold: Any,
    ) -> List[Sentence]:
        """
        # Parameters

        tokens, metadata :
            As for `forward`.
        beta : `float`, optional
            Gives candidates down to this cut-off; by default none.
        details : `bool`, optional (default = `False`)
            Not used: a supertagger has neither arcs nor a syntactic head.
        **gold
            Not used.

        # Returns

        `List[Sentence]`
        """
        mask = get_text_field_mask(tokens)
        return self._sentences(self._logits(tokens, mask), mask, metadata, beta)

    def _logits(self, tokens: TextFieldTensors, mask: torch.Tensor) -> torch.Tensor:
        """Shape `(batch_size, length, num_labels)`, in single precision."""
        embedded = self._text_field_embedder(tokens)
        with self._precision(embedded.device):
            # Where there is no padding, encoders that pack sequences need not.
            states = self._encoder(embedded, None if mask.all() else mask)
            return self._output_layer(states).float()

    def _score(
        self,
        logits: torch.Tensor,
        mask: torch.Tensor,
        supertags: torch.Tensor,
        training_words: Optional[torch.Tensor],
        frequent_supertags: Optional[torch.Tensor],
    ) -> None:
        scores = logits.detach()[mask].masked_fill(self._is_rare_symbol, float("-inf"))
        gold = supertags[mask]
        is_known = gold >= 0
        # The rare symbol is no category either.
        is_known &= ~self._is_rare_symbol[gold.clamp(min=0)]
        gold = gold.masked_fill(~is_known, -1)
        ranked = scores.topk(min(self._accuracy.top_k, self._num_supertags)).indices
        self._accuracy(
            ranked,
            gold,
            None if training_words is None else training_words[mask] < 0,
            None if frequent_supertags is None else frequent_supertags[mask] < 0,
        )

    def _sentences(
        self,
        logits: torch.Tensor,
        mask: torch.Tensor,
        metadata: List[Dict[str, Any]],
        beta: Optional[float],
    ) -> List[Sentence]:
        """The sentences with supertags and, with a `beta`, candidates."""
        probabilities = logits.softmax(-1).masked_fill(self._is_rare_symbol, 0.0)
        cut_off = 1.0 if beta is None else beta
        return [
            replace(
                item["sentence"],
                supertags=[ranked[0].supertag for ranked in candidates],
                candidates=None if beta is None else candidates,
            )
            for item, candidates in zip(
                metadata, self._candidates(probabilities[mask], mask, cut_off), strict=True
            )
        ]

    def _candidates(
        self, probabilities: torch.Tensor, mask: torch.Tensor, beta: float
    ) -> List[List[List[RankedSupertag]]]:
        """Of each token of each sentence, from `(num_tokens, num_labels)`."""
        is_candidate = probabilities >= beta * probabilities.amax(-1, keepdim=True)
        is_candidate &= ~self._is_rare_symbol
        tokens, labels = is_candidate.nonzero(as_tuple=True)
        chosen = probabilities[tokens, labels]
        # By probability, then, keeping that order, by token.
        order = chosen.argsort(descending=True, stable=True)
        order = order[tokens[order].argsort(stable=True)]
        names = map(self._names.__getitem__, labels[order].tolist())
        ranked = map(RankedSupertag, names, chosen[order].tolist())
        of_each = iter(is_candidate.sum(-1).tolist())
        return [
            [list(islice(ranked, number)) for number in islice(of_each, length)]
            for length in mask.sum(-1).tolist()
        ]

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """The scores that `SupertagAccuracy` describes."""
        return self._accuracy.get_metric(reset)


def check_beta(beta: Any) -> float:
    """
    # Returns

    `float`
        The cut-off for further categories of a word.

    # Raises

    `ConfigurationError`
        If it is no number from 0 to 1.
    """
    if isinstance(beta, bool) or not isinstance(beta, (int, float)) or not 0 <= beta <= 1:
        raise ConfigurationError(f"beta is {beta!r}; expected a number from 0 to 1")
    return float(beta)


def _output_layer(encoder: Seq2SeqEncoder, num_labels: int) -> torch.nn.Linear:
    if isinstance(encoder, JordanRnn):
        return encoder.output_layer
    return torch.nn.Linear(encoder.get_output_dim(), num_labels)
