// SA for two CPU cores, with ELMo instead of word vectors.
(import 'sa_small.jsonnet') + (import 'lib/small_elmo.libsonnet')
