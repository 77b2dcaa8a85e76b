// Ways to embed words: each is added to a config with `+`, and they can be added together.
local data = import 'data.libsonnet';

local embedding(name, indexer, embedder) = {
  dataset_reader+: { token_indexers+: { [name]: indexer } },
  model+: { text_field_embedder+: { token_embedders+: { [name]: embedder } } },
};

{
  // Lower-cased pretrained word vectors, fine-tuned. Every word that has a vector is known; of the
  // others those that occur twice, so that the unknown word's vector is trained too.
  glove: embedding('tokens', { type: 'single_id', lowercase_tokens: true }, {
    type: 'embedding',
    embedding_dim: 100,
    pretrained_file: data.vectors,
    trainable: true,
  }) + {
    vocabulary+: {
      min_count: { tokens: 2 },
      pretrained_files: { tokens: data.vectors },
      min_pretrained_embeddings: { tokens: -1 },
    },
  },

  // A learned mix of ELMo's layers (Peters et al. 2018) in the place of word vectors.
  elmo: embedding('elmo', { type: 'elmo_characters' }, {
    type: 'elmo_token_embedder',
    options_file: data.elmo + 'options.json',
    weight_file: data.elmo + 'weights.hdf5',
    do_layer_norm: false,
    dropout: 0.0,
  }),

  // An encoder of Hugging Face's, fine-tuned: a word is the mean of its word pieces. Sentences of
  // more than max_length word pieces are encoded in segments.
  transformer: local pretrained = {
    type: 'pretrained_transformer_words',
    model_name: data.transformer,
    max_length: 512,
  }; embedding('transformer', pretrained, pretrained),

  // Spelling and capitals: a convolution over a word's characters.
  characters: embedding('characters', {
    type: 'characters',
    namespace: 'token_characters',
    min_padding_length: 4,
  }, {
    type: 'distinct_character_encoding',
    embedding: { embedding_dim: 24, vocab_namespace: 'token_characters' },
    encoder: {
      type: 'cnn',
      embedding_dim: 24,
      num_filters: 32,
      ngram_filter_sizes: [2, 3, 4],
      conv_layer_activation: 'relu',
    },
  }),
}
