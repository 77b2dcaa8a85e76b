// Ways to embed words. Add one or several to a config with `+`.
local data = import 'data.libsonnet';

local embedding(name, indexer, embedder) = {
  dataset_reader+: { token_indexers+: { [name]: indexer } },
  model+: { text_field_embedder+: { token_embedders+: { [name]: embedder } } },
};

{
  // Lower-cased pretrained word vectors, fine-tuned. The vocabulary has all words with a vector, and
  // other words only if they occur twice, so that the unknown word's vector is trained too.
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

  // A learned mix of ELMo's layers (Peters et al. 2018) instead of word vectors. AllenNLP's layer norm
  // of the mix is over a whole batch, so with it an answer would depend on the other sentences.
  elmo: embedding('elmo', { type: 'elmo_characters' }, {
    type: 'elmo_token_embedder',
    options_file: data.elmo + 'options.json',
    weight_file: data.elmo + 'weights.hdf5',
    do_layer_norm: false,
    dropout: 0.0,
  }),

  // A Hugging Face encoder, fine-tuned: a word is the mean of its word pieces. Sentences with more than
  // max_length word pieces are encoded in segments.
  transformer: local pretrained = {
    type: 'pretrained_transformer_words',
    model_name: data.transformer,
    max_length: 512,
  }; embedding('transformer', pretrained, pretrained),

  // A Hugging Face encoder, fine-tuned: a word is its first word piece, in the last layer and in a learned mix
  // of all layers.
  encoder: local pretrained = { type: 'pretrained_encoder', model_name: data.transformer };
           embedding('encoder', pretrained, pretrained),

  // Lower-cased words with vectors that are learned from nothing. Words that occur once are unknown.
  trained: embedding('tokens', { type: 'single_id', lowercase_tokens: true }, {
    type: 'embedding',
    embedding_dim: 100,
  }) + { vocabulary+: { min_count: { tokens: 2 } } },

  // A convolution over a word's characters, for spelling and capitals.
  characters: embedding('characters', {
    type: 'distinct_characters',
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
