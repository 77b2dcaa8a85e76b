// SA for small machines, with ELMo in the place of word vectors.
(import 'sa_small.jsonnet') + (import 'lib/small_elmo.libsonnet')
