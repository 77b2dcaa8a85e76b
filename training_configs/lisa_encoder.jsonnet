// LISA over the Hugging Face encoder that the environment variable LISA_TRANSFORMER names, which is fine-tuned at
// a smaller rate than the two layers above it. Tags, predicates and the tree are read from the encoder itself. Both
// rates rise for 6 % of the steps and fall to zero. A batch has 400 word pieces.
(import 'lib/lisa.libsonnet') + (import 'lib/embeddings.libsonnet').encoder + {
  model+: {
    encoder+: { num_layers: 2, head_dim: 32, predicate_layer: 0, parse_layer: 1, arc_dim: 400, parse_dropout: 0.2 },
    role_decoder: { type: 'crf' },
    joint_tag_dropout: 0.2,
    role_dropout: 0.2,
    head_tag_loss_weight: 0.5,
  },
  data_loader+: { batch_sampler+: { type: 'max_pieces_sampler', max_tokens: 400 } },
  trainer+: {
    num_epochs: 5,
    patience: null,
    // Most word pieces are too rare in a treebank to learn from it.
    no_grad: ['word_embeddings'],
    optimizer: {
      type: 'adamw',
      lr: 0.001,
      weight_decay: 0.01,
      // `fused` is a step in one pass over the weights, which on a CPU is faster.
      parameter_groups: [
        [['transformer_model'], { lr: 6e-5, fused: true }],
        [['^(?!.*transformer_model)'], { fused: true }],
      ],
    },
    learning_rate_scheduler: { type: 'slanted_triangular', cut_frac: 0.06, ratio: 1000 },
  },
}
