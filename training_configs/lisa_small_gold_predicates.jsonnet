// LISA for small machines, given the gold predicates.
(import 'lisa_small.jsonnet') + (import 'lib/gold_predicates.libsonnet')
