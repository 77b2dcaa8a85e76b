// The D&M parser with GloVe vectors, fixed, to which vectors of its own are added.
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
