// lisa_treebank.jsonnet over the Hugging Face encoder that the environment variable LISA_TRANSFORMER names, such as
// xlm-roberta-base, beside characters and learned words. The encoder is fine-tuned at
// a small learning rate.
local embeddings = import 'lib/embeddings.libsonnet';

(import 'lisa_treebank.jsonnet') + embeddings.transformer + {
  trainer+: {
    optimizer: {
      type: 'adamw',
      lr: 0.001,
      weight_decay: 0.01,
      parameter_groups: [[['transformer_model'], { lr: 2e-5 }]],
    },
  },
}
