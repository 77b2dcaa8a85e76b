"""Records how the gates of a dynamic window develop during training."""

import json
from pathlib import Path
from typing import Any, Dict, List, Sequence

import torch
from allennlp.data import Batch, Instance
from allennlp.nn.util import get_text_field_mask, move_to_device
from allennlp.training.callbacks import TrainerCallback

from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.token_indexers.word_forms import normalize_word
from lisa_allennlp.modules.seq2seq_encoders.dynamic_window import DynamicWindow

_BATCH_SIZE = 64


@TrainerCallback.register("gate_recorder")
class GateRecorder(TrainerCallback):
    """
    Records the gates of a `ccg_supertagger` around chosen words, before training and after each
    epoch (Wu, Zhang and Zong 2016, Figure 4). A gate is averaged over the occurrences of a word in
    the training data. `gates.jsonl` in the serialization directory has one line per epoch, such as
    `{"epoch": 3, "gates": {"that": [0.1, ...]}}`, with a gate per position of the window from left
    to right. Epoch 0 is before training. `experiments/papers/supertagger_plots.py` draws the file.

    # Parameters

    words : `List[str]`
        Words of the training data, in lower case and with 9 for every digit.
    max_sentences : `int`, optional (default = `100`)
        The number of sentences to read per word.
    """

    def __init__(self, serialization_dir: str, words: List[str], max_sentences: int = 100) -> None:
        super().__init__(serialization_dir)
        self._file = Path(serialization_dir) / "gates.jsonl"
        self._words = words
        self._max_sentences = max_sentences
        self._instances: List[Instance] = []

    def on_start(self, trainer: Any, is_primary: bool = True, **kwargs: Any) -> None:
        super().on_start(trainer, is_primary, **kwargs)
        if not is_primary:
            return
        _find_window(trainer.model)
        self._instances = self._choose(trainer.data_loader.iter_instances())
        # The epochs after the checkpoint of a killed training are trained again.
        epoch = trainer._start_after_epochs_completed
        lines = self._file.read_text("utf-8").splitlines(keepends=True) if epoch else []
        known = lines[: epoch + 1]
        with complete_file(self._file) as partial:
            partial.write_text("".join(known), encoding="utf-8")
        if not known:
            self._record(epoch)

    def on_epoch(
        self,
        trainer: Any,
        metrics: Dict[str, Any],
        epoch: int,
        is_primary: bool = True,
        **kwargs: Any,
    ) -> None:
        if is_primary:
            self._record(epoch + 1)

    def _choose(self, instances: Any) -> List[Instance]:
        missing = dict.fromkeys(self._words, self._max_sentences)
        chosen = []
        for instance in instances:
            found = {w for w in _words(instance) if missing.get(w, 0) > 0}
            if found:
                chosen.append(instance)
            for word in found:
                missing[word] -= 1
            if not any(missing.values()):
                break
        for word, number in missing.items():
            if number == self._max_sentences:
                raise ConfigurationError(
                    f"gate_recorder: the word '{word}' is not in the training data; expected a "
                    "word that occurs there, in lower case and with 9 for every digit"
                )
        return chosen

    def _record(self, epoch: int) -> None:
        assert self.trainer is not None
        gates = mean_gates(self.trainer.model, self._instances, self._words)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"epoch": epoch, "gates": gates}, ensure_ascii=False) + "\n")


@torch.no_grad()
def mean_gates(
    model: Any, instances: Sequence[Instance], words: Sequence[str]
) -> Dict[str, List[float]]:
    """
    Returns for each word, as `normalize_word` spells it, the gates of a model's window from left to
    right, before any scaling. A gate is the mean over the word's occurrences in indexed instances
    and, if the gate is a vector, over its dimensions.
    """
    window = _find_window(model)
    seen: Dict[str, List[torch.Tensor]] = {word: [] for word in words}
    was_training = model.training
    model.eval()
    for start in range(0, len(instances), _BATCH_SIZE):
        group = instances[start : start + _BATCH_SIZE]
        tokens = Batch(group).as_tensor_dict()["tokens"]
        tokens = move_to_device(tokens, next(model.parameters()).device)
        embedded = model._text_field_embedder(tokens)
        gates = window.read(embedded, get_text_field_mask(tokens)).gates.mean(-1).cpu()
        for row, instance in enumerate(group):
            for position, word in enumerate(_words(instance)):
                if word in seen:
                    seen[word].append(gates[row, position])
    model.train(was_training)
    return {word: torch.stack(found).mean(0).tolist() for word, found in seen.items()}


def _words(instance: Instance) -> List[str]:
    return [normalize_word(token.text) for token in instance["tokens"]]  # type: ignore[attr-defined]


def _find_window(model: torch.nn.Module) -> DynamicWindow:
    for module in model.modules():
        if isinstance(module, DynamicWindow):
            return module
    raise ConfigurationError("gate_recorder: found no dynamic window in the model; expected one")
