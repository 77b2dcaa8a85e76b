// LISA for small machines, with ELMo in the place of word vectors.
(import 'lisa_small.jsonnet') + (import 'lib/small_elmo.libsonnet')
