// LISA for two CPU cores: word vectors and characters, eight layers, more dropout, and a learning rate
// that falls to zero over a fixed budget.
local data = import 'lib/data.libsonnet';
local embeddings = import 'lib/embeddings.libsonnet';

(import 'lib/lisa.libsonnet') + embeddings.glove + embeddings.characters + {
  model+: {
    encoder+: {
      num_layers: 8,
      // Not 4 as in lib/lisa.libsonnet: all results in RESULTS.md and docs/ were measured with 3.
      predicate_layer: 3,
      parse_layer: 5,
      input_dropout: 0.2,
      attention_dropout: 0.1,
      feedforward_dropout: 0.0,
      residual_dropout: 0.2,
      parse_dropout: 0.3,
    },
    role_dropout: 0.3,
    label_smoothing: 0.1,
  },
  trainer+: {
    num_epochs: data.small.num_epochs,
    optimizer+: { lr: data.small.peak_rate },
    learning_rate_scheduler: {
      type: 'linear_with_warmup',
      warmup_steps: data.small.warmup_steps,
    },
    moving_average: { type: 'exponential_in_place', decay: 0.999 },
  },
}
