// The D&M parser with ELMo, whose trees are the paper's +D&M.
(import 'lib/parser.libsonnet') + (import 'lib/embeddings.libsonnet').elmo
