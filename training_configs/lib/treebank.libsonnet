// A small network for a treebank of any language: lisa_small.jsonnet with a CRF, bfloat16 products, a constant
// momentum, and four layers.
(import '../lisa_small.jsonnet') + {
  model+: {
    precision: 'bfloat16',
    role_decoder: { type: 'crf' },
    label_smoothing: 0.0,
    encoder+: {
      num_layers: 4,
      num_heads: 4,
      head_dim: 32,
      feedforward_hidden_dim: 512,
      predicate_layer: 2,
      parse_layer: 3,
      arc_dim: 200,
      label_dim: 64,
    },
    head_tag_loss_weight: 0.5,
    predicate_dim: 100,
    role_dim: 100,
  },
  trainer+: { optimizer+: { momentum_schedule: false } },
}
