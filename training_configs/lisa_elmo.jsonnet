// LISA with ELMo, at the published size.
(import 'lib/lisa.libsonnet') + (import 'lib/embeddings.libsonnet').elmo
