// LISA with GloVe vectors, at the published size.
(import 'lib/lisa.libsonnet') + (import 'lib/embeddings.libsonnet').glove
