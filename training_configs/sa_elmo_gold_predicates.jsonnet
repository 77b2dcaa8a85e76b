// SA with ELMo, given the gold predicates.
(import 'sa_elmo.jsonnet') + (import 'lib/gold_predicates.libsonnet')
