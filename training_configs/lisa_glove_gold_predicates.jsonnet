// LISA with GloVe vectors, given the gold predicates.
(import 'lisa_glove.jsonnet') + (import 'lib/gold_predicates.libsonnet')
