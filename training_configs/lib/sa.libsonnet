// SA: the same network without its syntactic head, trained without trees.
(import 'lisa.libsonnet') + {
  dataset_reader+: { parses_suffix: null },
  model+: { encoder+: { parse_layer: null } },
}
