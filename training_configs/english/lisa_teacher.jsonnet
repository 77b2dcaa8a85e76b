// One of the two teachers of `english`: LISA on the treebank.
(import '../lib/english.libsonnet') + {
  model+: { encoder+: { predicate_layer: 3, parse_layer: 5 }, head_tag_loss_weight: 0.1 },
  trainer+: { num_epochs: 20 },
}
