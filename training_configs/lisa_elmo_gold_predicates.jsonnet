// LISA with ELMo, given the gold predicates.
(import 'lisa_elmo.jsonnet') + (import 'lib/gold_predicates.libsonnet')
