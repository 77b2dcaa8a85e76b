// LISA over the Hugging Face encoder that the environment variable LISA_TRANSFORMER names. The encoder
// is fine-tuned at a small learning rate, the rest at the rate of lisa_small.jsonnet. Both rates rise
// during the warm-up and fall to zero over a fixed budget.
local data = import 'lib/data.libsonnet';

(import 'lib/lisa.libsonnet') + (import 'lib/embeddings.libsonnet').transformer + {
  trainer+: {
    num_epochs: data.small.num_epochs,
    optimizer: {
      type: 'adamw',
      lr: data.small.peak_rate,
      weight_decay: 0.01,
      parameter_groups: [[['transformer_model'], { lr: 2e-5 }]],
    },
    learning_rate_scheduler: {
      type: 'linear_with_warmup',
      warmup_steps: data.small.warmup_steps,
    },
  },
}
