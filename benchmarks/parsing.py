"""
Parsing accuracy: the D&M parser of a config against allennlp-models' `biaffine_parser` with the
sizes and the regularisation of its published config. Both get the same batches, so many a time, and
the same word vectors, and are scored by the same metric on the same sentences. Times are CPU
seconds of the training steps.

    python -m benchmarks.parsing [--corpus DIR] [--config FILE] [--sentences N] [--epochs N]
        [--overrides JSON] [--only ours|stock] [--json FILE]
"""

import json
import os
import sys
import time
from typing import Any, Dict, Iterable, List, Tuple

import torch
from allennlp.common import Params
from allennlp.common.util import prepare_environment
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.data.data_loaders import TensorDict
from allennlp.models import Model
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.optimizers import Optimizer

import lisa_allennlp.plugin  # noqa: F401
from benchmarks.common import DEFAULT_SEEDS, Report, make_parser
from benchmarks.records import readable
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.labelling.batches import groups_of_similar_length
from lisa_allennlp.training.metrics.dependency_score import DependencyScore

INPUTS = ("words", "pos_tags", "metadata")
METRICS = ("uas", "las", "uas_with_punct", "las_with_punct")

# allennlp-models' dependency_parser.jsonnet, but for its vectors and for their sparse gradients,
# which PyTorch cannot clip.
STOCK = {
    "type": "biaffine_parser",
    "pos_tag_embedding": {"embedding_dim": 100, "vocab_namespace": "pos"},
    "encoder": {
        "type": "stacked_bidirectional_lstm",
        "input_size": 200,
        "hidden_size": 400,
        "num_layers": 3,
        "recurrent_dropout_probability": 0.3,
        "use_highway": True,
    },
    "arc_representation_dim": 500,
    "tag_representation_dim": 100,
    "dropout": 0.3,
    "input_dropout": 0.3,
    "initializer": {
        "regexes": [
            [".*projection.*weight", {"type": "xavier_uniform"}],
            [".*projection.*bias", {"type": "zero"}],
            [".*tag_bilinear.*weight", {"type": "xavier_uniform"}],
            [".*tag_bilinear.*bias", {"type": "zero"}],
            [".*weight_ih.*", {"type": "xavier_uniform"}],
            [".*weight_hh.*", {"type": "orthogonal"}],
            [".*bias_ih.*", {"type": "zero"}],
            [".*bias_hh.*", {"type": "lstm_hidden_bias"}],
        ]
    },
}
STOCK_OPTIMIZER = {"type": "adam", "lr": 0.001, "betas": [0.9, 0.9]}


class Corpus:
    """
    The sentences of a config, indexed.

    # Parameters

    params : `Params`
    num_sentences : `int`
        How many training sentences, from all over the file.
    """

    def __init__(self, params: Params, num_sentences: int) -> None:
        reader = DatasetReader.from_params(params["dataset_reader"])
        train = list(reader.read(params["train_data_path"]))
        self.train = train[:: max(1, len(train) // num_sentences)][:num_sentences]
        self.dev = list(reader.read(params["validation_data_path"]))
        for instance in [*self.train, *self.dev]:
            reader.apply_token_indexers(instance)
        self.vocab = Vocabulary.from_params(params["vocabulary"], instances=self.train)
        for instance in [*self.train, *self.dev]:
            instance.index_fields(self.vocab)

    def batches(self, instances: List[Instance], max_tokens: int) -> List[TensorDict]:
        """Batches of sentences of similar length."""
        lengths = [len(instance["words"]) for instance in instances]  # type: ignore[arg-type]
        groups = groups_of_similar_length(lengths, max_tokens)
        return [Batch([instances[i] for i in group]).as_tensor_dict() for group in groups]


class System:
    """
    # Parameters

    name : `str`
    model : `Model`
    optimizer : `dict`
    scheduler : `dict`, optional (default = `None`)
    max_gradient : `float`
    steps : `Tuple[int, int]`
        Epochs, and steps an epoch.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        optimizer: Dict[str, Any],
        scheduler: Any,
        max_gradient: float,
        steps: Tuple[int, int],
    ) -> None:
        self.name, self.model, self._max_gradient = name, model, max_gradient
        parameters = [[n, p] for n, p in model.named_parameters() if p.requires_grad]
        self._optimizer = Optimizer.from_params(Params(optimizer), model_parameters=parameters)
        self._scheduler = None
        if scheduler is not None:
            self._scheduler = LearningRateScheduler.from_params(
                Params(scheduler),
                optimizer=self._optimizer,
                num_epochs=steps[0],
                num_steps_per_epoch=steps[1],
            )
        self._step = 0
        self.seconds = 0.0

    def train(self, batches: Iterable[TensorDict]) -> None:
        """One epoch."""
        start = time.process_time()
        self.model.train()
        for batch in batches:
            self._step += 1
            self.model(**batch)["loss"].backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self._max_gradient)
            self._optimizer.step()
            self._optimizer.zero_grad()
            if self._scheduler is not None:
                self._scheduler.step_batch(self._step)
        self.seconds += time.process_time() - start

    @torch.no_grad()
    def score(self, batches: Iterable[TensorDict]) -> Dict[str, float]:
        """UAS and LAS."""
        self.model.eval()
        metric = DependencyScore()
        for batch in batches:
            gold = [meta["sentence"] for meta in batch["metadata"]]  # type: ignore[attr-defined]
            # Without gold trees: the peer has no place for labels that training data lacks.
            output = self.model(**{name: batch[name] for name in INPUTS})
            heads, tags = output["heads"].tolist(), output["head_tags"].tolist()
            metric([self._sentence(*row) for row in zip(gold, heads, tags, strict=True)], gold)
        return metric.get_metric()

    def _sentence(self, gold: Sentence, heads: List[int], tags: List[int]) -> Sentence:
        """A predicted sentence; both rows begin with the root."""
        end = len(gold.words) + 1
        labels = [self.model.vocab.get_token_from_index(tag, "head_tags") for tag in tags[1:end]]
        own = [t if head == 0 else head - 1 for t, head in enumerate(heads[1:end])]
        return Sentence(gold.words, gold.pos, parse=Parse(own, labels))


def make_systems(params: Params, vocab: Vocabulary, steps: Tuple[int, int]) -> Iterable[System]:
    """Ours, then the peer."""
    trainer = params["trainer"].as_dict()
    tokens = params["model"]["text_field_embedder"]["token_embedders"]["tokens"].as_dict()
    prepare_environment(Params({}))
    yield System(
        "ours",
        Model.from_params(params["model"].duplicate(), vocab=vocab),
        trainer["optimizer"],
        trainer["learning_rate_scheduler"],
        trainer["grad_norm"],
        steps,
    )
    embedding = {
        "type": "embedding",
        "embedding_dim": 100,
        "pretrained_file": tokens["pretrained_file"],
        "trainable": True,
    }
    stock = {**STOCK, "text_field_embedder": {"token_embedders": {"tokens": embedding}}}
    prepare_environment(Params({}))
    model = Model.from_params(Params(stock), vocab=vocab)
    yield System("stock", model, dict(STOCK_OPTIMIZER), None, 5.0, steps)


def main() -> int:
    """Trains both and prints a row for each epoch; returns the exit status."""
    parser = make_parser(__doc__)
    parser.set_defaults(sentences=3000, corpus=os.environ.get("LISA_CORPUS") or None)
    parser.add_argument("--config", default="training_configs/dm_small.jsonnet")
    parser.add_argument("--overrides", default="{}", help="of the config, as JSON")
    parser.add_argument("--epochs", type=int, default=10, help="(default: 10)")
    parser.add_argument("--only", choices=("ours", "stock"), help="train only this")
    args = parser.parse_args()
    if args.corpus is not None:
        os.environ.update(LISA_DATA="ewt", LISA_CORPUS=str(args.corpus))
    report = Report("parsing", args, seed=DEFAULT_SEEDS)
    overrides = {"trainer.num_epochs": args.epochs, **json.loads(args.overrides)}
    params = Params.from_file(args.config, json.dumps(overrides))
    max_tokens = params["data_loader"]["batch_sampler"]["max_tokens"]
    corpus = Corpus(params, args.sentences)
    train = corpus.batches(corpus.train, max_tokens)
    dev = corpus.batches(corpus.dev, max_tokens)
    print(f"{len(corpus.train)} sentences, {len(train)} steps an epoch")
    rows = []
    for system in make_systems(params, corpus.vocab, (args.epochs, len(train))):
        if args.only not in (None, system.name):
            continue
        for epoch in range(1, args.epochs + 1):
            system.train(train[i] for i in torch.randperm(len(train)).tolist())
            scores = system.score(dev)
            row = [*(scores[name] for name in METRICS), system.seconds]
            print(system.name, epoch, *map(readable, row), sep="\t", flush=True)
            rows.append([system.name, str(epoch), *row])
    report.table(["system", "epochs", *METRICS, "seconds"], rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
