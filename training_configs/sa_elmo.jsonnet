// SA with ELMo, at published size.
(import 'lib/sa.libsonnet') + (import 'lib/embeddings.libsonnet').elmo
