// The shipped model `english`. It continues from the network that english/silver.jsonnet trains, with a
// small learning rate, on the treebank alone:
//
//     lisa train training_configs/english.jsonnet --from SILVER/model.tar.gz -s OUT
//
// `python -m experiments.english` runs this and all that comes before it.
local data = import 'lib/data.libsonnet';

(import 'lib/english.libsonnet') + {
  trainer+: {
    num_epochs: 8,
    optimizer+: { lr: 0.0005 },
    learning_rate_scheduler+: { warmup_steps: 100 },
  },
}
