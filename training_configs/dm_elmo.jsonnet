// The D&M parser with ELMo: the source of LISA's +D&M.
(import 'lib/parser.libsonnet') + (import 'lib/embeddings.libsonnet').elmo
