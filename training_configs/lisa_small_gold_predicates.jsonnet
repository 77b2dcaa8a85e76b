// LISA for two CPU cores, given the gold predicates.
(import 'lisa_small.jsonnet') + (import 'lib/gold_predicates.libsonnet')
