// SA with GloVe vectors, at published size.
(import 'lisa_glove.jsonnet') + (import 'lib/sa.libsonnet')
