// LISA with ELMo, at published size.
(import 'lib/lisa.libsonnet') + (import 'lib/embeddings.libsonnet').elmo
