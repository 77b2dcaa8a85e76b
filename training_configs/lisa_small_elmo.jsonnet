// LISA for two CPU cores, with ELMo instead of word vectors.
(import 'lisa_small.jsonnet') + (import 'lib/small_elmo.libsonnet')
