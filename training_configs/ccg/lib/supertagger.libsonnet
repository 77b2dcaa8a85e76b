// The supertagger of Wu, Zhang & Zong (2016) as published. A config is one of the networks below with
// some of these options changed:
//   window_size          tokens on each side: 4 for the MLP, 1 for recurrent networks
//   gate                 the network that computes the gates
//   gate_dropout         on the gates, that is, on whole words of the window
//   embedding_dropout    on single dimensions of the embedded words
//   hidden_dropout       on the outputs of hidden layers
//   characters           whether to embed characters too
//   cells                hidden units
local data = import 'data.libsonnet';

local options = {
  window_size: 1,
  gate: { type: 'one_layer' },
  gate_dropout: 0.5,
  embedding_dropout: 0.0,
  hidden_dropout: 0.5,
  characters: true,
  cells: data.hidden_dim,
};

// The first and last five characters, and the capitalisation, with five dimensions each.
local character_dim = 50;
local capitalization_dim = 5;

local sizes(o) = {
  token: data.vectors_dim + capitalization_dim + (if o.characters then character_dim else 0),
  window: if o.gate.type == 'averaging' then self.token else (2 * o.window_size + 1) * self.token,
  hidden: o.cells,
};

local window(o) = {
  input_dim: sizes(o).token,
  window_size: o.window_size,
  gate: o.gate,
  gate_dropout: o.gate_dropout,
  embedding_dropout: o.embedding_dropout,
};

local dropout(o, dim, bidirectional=false) = {
  type: 'scaled_dropout',
  input_dim: dim,
  dropout: o.hidden_dropout,
  bidirectional: bidirectional,
};

// Layers of LSTMs over the window, each followed by dropout.
local lstm(o, num_layers, bidirectional) = {
  local dim = sizes(o).hidden * (if bidirectional then 2 else 1),
  type: 'compose',
  encoders: [window(o) { type: 'dynamic_window', bidirectional: bidirectional }] + std.flattenArrays([
    [
      {
        type: 'lstm',
        input_size: if i == 1 then sizes(o).window else dim,
        hidden_size: sizes(o).hidden,
        bidirectional: bidirectional,
      },
      dropout(o, dim, bidirectional),
    ]
    for i in std.range(1, num_layers)
  ]),
};

{
  networks:: {
    mlp(o): {
      type: 'compose',
      encoders: [
        window(o) { type: 'dynamic_window' },
        {
          type: 'feedforward',
          feedforward: {
            input_dim: sizes(o).window,
            num_layers: 1,
            hidden_dims: sizes(o).hidden,
            activations: 'tanh',
          },
        },
        dropout(o, sizes(o).hidden),
      ],
    },
    elman(o): {
      type: 'compose',
      encoders: [
        { type: 'elman_rnn', window: window(o), hidden_dim: sizes(o).hidden },
        dropout(o, sizes(o).hidden),
      ],
    },
    // Its output layer, and the dropout before it, are part of the recurrence.
    jordan(o): {
      type: 'jordan_rnn',
      window: window(o),
      hidden_dim: sizes(o).hidden,
      dropout: o.hidden_dropout,
    },
    lstm(o): lstm(o, 1, false),
    bilstm(o): lstm(o, 1, true),
    stacked_bilstm(o): lstm(o, 2, true),
  },

  config(network, changes={}):: {
    local o = options + changes,
    dataset_reader: {
      type: 'ccgbank_supertags',
      corpus_format: data.format,
      token_indexers: {
        tokens: { type: 'normalized_words', lowercase_tokens: true, digits_to_nine: true },
        capitalization: { type: 'capitalization' },
        [if o.characters then 'characters']: { type: 'affix_characters', num_characters: 5 },
      },
    },
    train_data_path: data.train,
    validation_data_path: data.validation,
    // The model must not know supertags and words that occur only in development data.
    datasets_for_vocab_creation: ['train'],
    vocabulary: {
      // All words with a vector, and other words only if they occur twice, so that the unknown word's
      // vector is trained too.
      min_count: { tokens: 2, frequent_supertag_labels: data.frequent },
      pretrained_files: { tokens: data.vectors },
      min_pretrained_embeddings: { tokens: -1 },
      tokens_to_add: { supertag_labels: ['@@RARE@@'] },
    },
    model: {
      type: 'ccg_supertagger',
      text_field_embedder: {
        token_embedders: {
          tokens: {
            type: 'embedding',
            embedding_dim: data.vectors_dim,
            pretrained_file: data.vectors,
            trainable: true,
            // An update with one sentence changes only the vectors of its words.
            sparse: true,
          },
          capitalization: {
            type: 'embedding',
            num_embeddings: 6,
            embedding_dim: capitalization_dim,
          },
          [if o.characters then 'characters']: { type: 'affix_characters', num_characters: 5 },
        },
      },
      encoder: network(o),
      initializer: {
        regexes: [
          ['.*weight_hh.*', { type: 'block_orthogonal', split_sizes: [o.cells, o.cells] }],
          ['.*recurrent_projection\\.weight', { type: 'orthogonal' }],
          ['.*bias.*', { type: 'zero' }],
          // These are looked up, not multiplied by inputs.
          ['.*(edge_embedding|capitalization|characters).*', { type: 'normal', std: 0.1 }],
          ['.*weight.*', { type: 'fan_in_gaussian', scale: 0.1 }],
        ],
        prevent_regexes: ['.*token_embedder_tokens.*'],
      },
    },
    // One sentence per update.
    data_loader: { batch_size: 1, shuffle: true },
    validation_data_loader: { batch_size: 64 },
    trainer: {
      type: 'recoverable',
      num_epochs: data.num_epochs,
      patience: data.patience,
      validation_metric: '+accuracy',
      optimizer: { type: 'sgd', lr: 0.02 },
      checkpointer: { type: 'complete', keep_most_recent_by_count: 1 },
      // Ends the training after LISA_MAX_HOURS, if that is set.
      callbacks: ['time_limit'],
    },
  },
}
