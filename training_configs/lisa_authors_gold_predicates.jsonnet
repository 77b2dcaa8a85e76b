// lisa_authors.jsonnet, given the gold predicates. Their code then learns neither parts of speech nor predicates.
(import 'lisa_authors.jsonnet') + (import 'lib/gold_predicates.libsonnet') + {
  model+: { joint_tag_loss_weight: 0.0 },
}
