// The network of the shipped model `english`, and how it and its teachers are trained: lisa_small.jsonnet
// with a CRF, bfloat16 products, a constant momentum, and one more layer below the tree.
local data = import 'data.libsonnet';

(import '../lisa_small.jsonnet') + {
  model+: {
    precision: 'bfloat16',
    role_decoder: { type: 'crf' },
    label_smoothing: 0.0,
    encoder+: { predicate_layer: 4, parse_layer: 6 },
    // Silver trees teach labels as well as arcs.
    head_tag_loss_weight: 0.5,
  },
  trainer+: { optimizer+: { momentum_schedule: false } },
}
