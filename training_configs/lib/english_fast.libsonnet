// The network of the shipped model `english-fast`: that of `english` with half as many layers, two thirds as
// wide.
(import 'english.libsonnet') + {
  model+: {
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
    predicate_dim: 100,
    role_dim: 100,
  },
}
