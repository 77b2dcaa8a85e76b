"""
Parsing accuracy: the D&M parser of a config ("ours") against allennlp-models' `biaffine_parser`
with the sizes and the regularisation of its published config ("stock"). Both are trained on the
same batches with the same word vectors, and scored by the same metric on the same sentences. Times
are CPU seconds of the training steps.

    python -m benchmarks.parsing [--corpus DIR] [--config FILE] [--sentences N] [--epochs N]
        [--overrides JSON] [--only ours|stock] [--json FILE]
"""

import json
import os
import sys
import time
from functools import partial
from typing import Any, Callable, Dict, Iterable, List, Tuple

import torch
from allennlp.common import Params
from allennlp.common.util import prepare_environment
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.data.data_loaders import TensorDict
from allennlp.models import Model
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.optimizers import Optimizer
from allennlp_models.structured_prediction.dataset_readers.universal_dependencies import (
    UniversalDependenciesDatasetReader,
)

import lisa_allennlp.plugin  # noqa: F401
from benchmarks.common import DEFAULT_SEEDS, Report, make_parser
from benchmarks.records import readable
from lisa_allennlp.data.sentence import Parse, Sentence, self_loop_heads
from lisa_allennlp.labelling.batches import batches_of_similar_length
from lisa_allennlp.training.metrics import DependencyScore

METRICS = ("uas", "las", "uas_with_punct", "las_with_punct")

# allennlp-models' dependency_parser.jsonnet, without its word vectors and their sparse gradients,
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
    The indexed sentences of a config, in the form that each parser reads.

    # Parameters

    params : `Params`
        The config.
    num_sentences : `int`
        The number of training sentences, which are spread over the file.
    """

    def __init__(self, params: Params, num_sentences: int) -> None:
        self._reader = DatasetReader.from_params(params["dataset_reader"])
        train = list(self._reader.read(params["train_data_path"]))
        self.train = train[:: max(1, len(train) // num_sentences)][:num_sentences]
        self.dev = list(self._reader.read(params["validation_data_path"]))
        for instance in [*self.train, *self.dev]:
            self._reader.apply_token_indexers(instance)
        self.vocab = Vocabulary.from_params(params["vocabulary"], instances=self.train)

    def batches(self, instances: List[Instance], max_tokens: int) -> List[TensorDict]:
        """Batches of sentences of similar length, for `deep_biaffine_parser`."""
        return self._tensors(self._groups(instances, max_tokens))

    def stock_batches(
        self, instances: List[Instance], max_tokens: int, with_trees: bool
    ) -> List[TensorDict]:
        """The same batches for `biaffine_parser`, which fails on labels unseen in training."""
        groups = self._groups(instances, max_tokens)
        return self._tensors([[self._stock(i, with_trees) for i in group] for group in groups])

    def _groups(self, instances: List[Instance], max_tokens: int) -> List[List[Instance]]:
        lengths = [len(_sentence(instance).words) for instance in instances]
        groups = batches_of_similar_length(lengths, max_tokens)
        return [[instances[position] for position in group] for group in groups]

    def _tensors(self, groups: List[List[Instance]]) -> List[TensorDict]:
        batches = [Batch(group) for group in groups]
        for batch in batches:
            batch.index_instances(self.vocab)
        return [batch.as_tensor_dict() for batch in batches]

    def _stock(self, instance: Instance, with_tree: bool) -> Instance:
        """The sentence as allennlp-models' reader of dependency trees makes it."""
        sentence = _sentence(instance)
        dependencies = None
        if with_tree and sentence.parse is not None:
            parse = sentence.parse
            dependencies = list(zip(parse.head_tags, parse.heads, strict=True))
        reader = UniversalDependenciesDatasetReader()
        made = reader.text_to_instance(sentence.words, sentence.pos or [], dependencies)
        made["metadata"].metadata["sentence"] = sentence  # type: ignore[attr-defined]
        self._reader.apply_token_indexers(made)
        return made


def _sentence(instance: Instance) -> Sentence:
    return instance["metadata"].metadata["sentence"]  # type: ignore[attr-defined]


def predict_stock(model: Model, **tensors: Any) -> List[Sentence]:
    """The sentences of a batch with the trees of `biaffine_parser`."""
    output = model.make_output_human_readable(model(**tensors))
    gold = [item["sentence"] for item in tensors["metadata"]]
    heads, labels = output["predicted_heads"], output["predicted_dependencies"]
    return [
        Sentence(sentence.words, sentence.pos, parse=Parse(self_loop_heads(row), tags))
        for sentence, row, tags in zip(gold, heads, labels, strict=True)
    ]


class System:
    """
    A parser in training.

    # Parameters

    predict : `Callable[..., List[Sentence]]`
        Maps the tensors of a batch to its sentences with predicted trees.
    optimizer, scheduler : `dict`
        Their configs; no scheduler keeps the learning rate constant.
    max_gradient : `float`
        The norm to which gradients are clipped.
    steps : `Tuple[int, int]`
        Epochs, and steps per epoch.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        predict: Callable[..., List[Sentence]],
        optimizer: Dict[str, Any],
        scheduler: Any,
        max_gradient: float,
        steps: Tuple[int, int],
    ) -> None:
        self.name, self.model, self._max_gradient = name, model, max_gradient
        self._predict = predict
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
        """UAS and LAS, with and without punctuation."""
        self.model.eval()
        metric = DependencyScore()
        for batch in batches:
            gold = [item["sentence"] for item in batch["metadata"]]  # type: ignore[attr-defined]
            metric(self._predict(**batch), gold)
        return metric.get_metric()


def make_systems(params: Params, vocab: Vocabulary, steps: Tuple[int, int]) -> Iterable[System]:
    """Ours, then the peer."""
    trainer = params["trainer"].as_dict()
    tokens = params["model"]["text_field_embedder"]["token_embedders"]["tokens"].as_dict()
    prepare_environment(Params({}))
    ours = Model.from_params(params["model"].duplicate(), vocab=vocab)
    yield System(
        "ours",
        ours,
        ours.label,
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
    predict = partial(predict_stock, model)
    yield System("stock", model, predict, dict(STOCK_OPTIMIZER), None, 5.0, steps)


def main() -> int:
    """Trains both and prints a row for each epoch; returns the exit status."""
    parser = make_parser(__doc__)
    parser.set_defaults(sentences=3000, corpus=os.environ.get("LISA_CORPUS") or None)
    parser.add_argument("--config", default="training_configs/dm_small.jsonnet")
    parser.add_argument("--overrides", default="{}", help="overrides of the config, as JSON")
    parser.add_argument("--epochs", type=int, default=10, help="number of epochs (default: 10)")
    parser.add_argument("--only", choices=("ours", "stock"), help="train only this parser")
    args = parser.parse_args()
    if args.corpus is not None:
        os.environ.update(LISA_DATA="ewt", LISA_CORPUS=str(args.corpus))
    report = Report("parsing", args, seed=DEFAULT_SEEDS)
    overrides = {"trainer.num_epochs": args.epochs, **json.loads(args.overrides)}
    params = Params.from_file(args.config, json.dumps(overrides))
    max_tokens = params["data_loader"]["batch_sampler"]["max_tokens"]
    corpus = Corpus(params, args.sentences)
    train = {
        "ours": corpus.batches(corpus.train, max_tokens),
        "stock": corpus.stock_batches(corpus.train, max_tokens, with_trees=True),
    }
    dev = {
        "ours": corpus.batches(corpus.dev, max_tokens),
        "stock": corpus.stock_batches(corpus.dev, max_tokens, with_trees=False),
    }
    num_steps = len(train["ours"])
    print(f"{len(corpus.train)} sentences, {num_steps} steps per epoch")
    rows = []
    for system in make_systems(params, corpus.vocab, (args.epochs, num_steps)):
        if args.only not in (None, system.name):
            continue
        for epoch in range(1, args.epochs + 1):
            order = torch.randperm(num_steps).tolist()
            system.train(train[system.name][i] for i in order)
            scores = system.score(dev[system.name])
            row = [*(scores[name] for name in METRICS), system.seconds]
            print(system.name, epoch, *map(readable, row), sep="\t", flush=True)
            rows.append([system.name, str(epoch), *row])
    report.table(["system", "epochs", *METRICS, "seconds"], rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
