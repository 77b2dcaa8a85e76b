// SA with GloVe vectors, given the gold predicates.
(import 'sa_glove.jsonnet') + (import 'lib/gold_predicates.libsonnet')
