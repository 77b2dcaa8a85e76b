// Added to a small config: ELMo in the place of its word vectors.
(import 'embeddings.libsonnet').elmo + {
  dataset_reader+: { token_indexers+: { tokens:: null } },
  model+: { text_field_embedder+: { token_embedders+: { tokens:: null } } },
  vocabulary:: null,
}
