// LISA with GloVe vectors, at published size.
(import 'lib/lisa.libsonnet') + (import 'lib/embeddings.libsonnet').glove
