// SA with GloVe vectors, at published size.
(import 'lib/sa.libsonnet') + (import 'lib/embeddings.libsonnet').glove
