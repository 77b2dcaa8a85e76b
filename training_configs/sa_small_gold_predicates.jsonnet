// SA for two CPU cores, given the gold predicates.
(import 'sa_small.jsonnet') + (import 'lib/gold_predicates.libsonnet')
