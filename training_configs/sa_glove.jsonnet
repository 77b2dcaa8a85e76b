// SA with GloVe vectors, at the published size.
(import 'lisa_glove.jsonnet') + (import 'lib/sa.libsonnet')
