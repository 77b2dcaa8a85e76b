"""The CCG supertagger, which predicts a lexical category for each word."""

from dataclasses import replace
from itertools import islice
from typing import Any, Dict, List, Optional

import torch
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models.model import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.confidence import check_share
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.formats.ccg import RARE_CATEGORY
from lisa_allennlp.models.sentence_model import SentenceModel, VocabularyAxes, label_strings, rows
from lisa_allennlp.modules.seq2seq_encoders.window_networks import JordanRnn
from lisa_allennlp.modules.token_embedders import make_elmo_stateless
from lisa_allennlp.nn.precision import Precision
from lisa_allennlp.sentence.sentence import RankedSupertag, Sentence
from lisa_allennlp.training.metrics import SupertagAccuracy

LABELS = "supertag_labels"


@Model.register("ccg_supertagger")
class CcgSupertagger(SentenceModel):
    """
    Predicts the supertag of each word from an encoder's states (Wu, Zhang and Zong 2016, "A Dynamic
    Window Neural Network for CCG Supertagging"). The paper's networks differ only in their
    encoders.

    # Parameters

    vocab : `Vocabulary`
        The namespace `supertag_labels` is the category set. If it contains the rare symbol
        `@@RARE@@` (`tokens_to_add`), the symbol replaces all other categories in the loss; it is
        never predicted. The reader `ccgbank_supertags` fills the namespaces `training_word_labels`
        and `frequent_supertag_labels`. They determine which words are unseen and which supertags
        are rare; the vocabulary's `min_count` sets the limit for rare supertags.
    text_field_embedder : `TextFieldEmbedder`
        An ELMo in it keeps no state between batches.
    encoder : `Seq2SeqEncoder`
        Maps embedded tokens to the states that the output layer reads, and applies any dropout to
        these states. The output layer of a `jordan_rnn` is used in place of a new one.
    beta : `float`, optional (default = `1.0`)
        `make_output_human_readable` returns every category with a probability of at least `beta`
        times that of the word's best category (Clark and Curran 2007). 0 returns all categories;
        1 returns the best one and those that tie with it.
    top_k : `int`, optional (default = `5`)
        k of the metric `top<k>_accuracy`.
    precision : `str`, optional (default = `"float32"`)
        Precision of the matrix products after the embedder: `float32` or `bfloat16`. Scores, losses
        and probabilities are always in single precision.
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
        input_dim, embedded_dim = encoder.get_input_dim(), text_field_embedder.get_output_dim()
        if embedded_dim != input_dim:
            raise ConfigurationError(
                f"the encoder's input_dim is {input_dim}; expected {embedded_dim}, the size of the "
                "embedded tokens"
            )
        self._text_field_embedder = make_elmo_stateless(text_field_embedder)
        self._encoder = encoder
        self._names = label_strings(vocab, LABELS)
        # The rare symbol is never predicted.
        self._num_supertags = len(self._names) - (RARE_CATEGORY in self._names)
        if self._num_supertags < 1:
            raise ConfigurationError(
                f"found no supertags in the vocabulary's namespace '{LABELS}'; expected the "
                "categories of the training data"
            )
        self._output_layer = (
            encoder.output_layer
            if isinstance(encoder, JordanRnn)
            else torch.nn.Linear(encoder.get_output_dim(), len(self._names))
        )
        rare = torch.tensor([name == RARE_CATEGORY for name in self._names])
        self.register_buffer("_is_rare_symbol", rare, persistent=False)
        self._beta = check_share("beta", beta)
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
        Computes the loss and, outside training, labels and scores the sentences.

        # Parameters

        metadata : `List[Dict[str, Any]]`
            With the `Sentence` of each instance at `sentence`.
        supertags : `torch.LongTensor`, optional
            Shape `(batch_size, length)`: the gold supertags; -100 for padding and for supertags
            missing from the vocabulary.
        training_words, frequent_supertags : `torch.LongTensor`, optional
            Shape `(batch_size, length)`; negative for words that are not in the training data, and
            for gold supertags that are rare there.

        # Returns

        `Dict[str, Any]`
            `loss`, if gold supertags are given: the negative log-likelihood of the supertags
            (equation 23), summed over the tokens of a sentence and averaged over the batch. Outside
            training also `sentences` (`List[Sentence]`), with supertags and, for the model's
            `beta`, candidates.
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
        options: LabelOptions = LabelOptions(),  # noqa: B008
        **gold: Any,
    ) -> List[Sentence]:
        mask = get_text_field_mask(tokens)
        return self._sentences(self._logits(tokens, mask), mask, metadata, options.beta)

    def _logits(self, tokens: TextFieldTensors, mask: torch.Tensor) -> torch.Tensor:
        """Shape `(batch_size, length, num_labels)`, in single precision."""
        embedded = self._text_field_embedder(tokens)
        with self._precision(embedded.device):
            # Without a mask, encoders skip packing, which a batch without padding does not need.
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
        # The rare symbol is not a category, so a model cannot get these tokens right.
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
        """
        Returns each token's candidates, best first, from `(num_tokens, num_labels)` probabilities
        without padding.
        """
        is_candidate = probabilities >= beta * probabilities.amax(-1, keepdim=True)
        is_candidate &= ~self._is_rare_symbol
        tokens, labels = is_candidate.nonzero(as_tuple=True)
        chosen = probabilities[tokens, labels]
        # A stable sort by token keeps each token's labels sorted by probability.
        order = chosen.argsort(descending=True, stable=True)
        order = order[tokens[order].argsort(stable=True)]
        names = map(self._names.__getitem__, labels[order].tolist())
        ranked = map(RankedSupertag, names, chosen[order].tolist())
        of_each = iter(is_candidate.sum(-1).tolist())
        return [
            [list(islice(ranked, number)) for number in islice(of_each, length)]
            for length in mask.sum(-1).tolist()
        ]

    def vocabulary_axes(self) -> VocabularyAxes:
        return {**super().vocabulary_axes(), **rows(self, "_output_layer", LABELS)}

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        return self._accuracy.get_metric(reset)
