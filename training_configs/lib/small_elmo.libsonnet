// Add to a small config to replace its word vectors by ELMo.
(import 'embeddings.libsonnet').elmo + {
  dataset_reader+: { token_indexers+: { tokens:: null } },
  model+: { text_field_embedder+: { token_embedders+: { tokens:: null } } },
  vocabulary:: null,
}
