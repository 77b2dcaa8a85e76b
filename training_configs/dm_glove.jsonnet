// The D&M parser with the sum of fixed GloVe vectors and trained vectors.
local data = import 'lib/data.libsonnet';

(import 'lib/parser.libsonnet') + (import 'lib/embeddings.libsonnet').glove + {
  model+: { text_field_embedder+: { token_embedders+: {
    tokens: {
      type: 'pretrained_plus_trained',
      embedding_dim: 100,
      pretrained_file: data.vectors,
    },
  } } },
}
