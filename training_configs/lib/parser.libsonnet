// The parser of Dozat & Manning (2017) as published, without word embeddings. It is trained on the trees
// of LISA's corpora.
local data = import 'data.libsonnet';

{
  dataset_reader: {
    type: 'conllu_parses',
    // XPOS: Penn Treebank tags if a treebank has two tag sets.
    use_language_specific_pos: true,
    // The paper's parser reads predicted tags; null reads those of the treebank.
    pos_suffix: data.parser.pos_suffix,
  },
  train_data_path: data.parser.train,
  validation_data_path: data.parser.validation,
  // The model must not know labels that occur only in development data.
  datasets_for_vocab_creation: ['train'],
  model: {
    type: 'deep_biaffine_parser',
    text_field_embedder: {},
    // Without it, the parser reads only words.
    pos_tag_embedding: { embedding_dim: 100, vocab_namespace: 'pos' },
    word_dropout: 0.33,
    tag_dropout: 0.33,
    encoder: {
      type: 'variational_bidirectional_rnn',
      cell: 'lstm',
      hidden_dim: 400,
      num_layers: 3,
      input_dropout: 0.33,
      recurrent_dropout: 0.33,
    },
    attention: { type: 'deep_biaffine', arc_dim: 500, label_dim: 100, activation: 'relu' },
    dropout: 0.33,
  },
  data_loader: {
    batch_sampler: {
      type: 'max_tokens_sampler',
      max_tokens: data.tokens_per_batch,
      sorting_keys: ['words'],
      padding_noise: 0.1,
    },
  },
  validation_data_loader: self.data_loader,
  // As `lisa train` archives them, also with `allennlp train`.
  include_in_archive: ['best.safetensors', 'model_files'],
  trainer: {
    type: 'recoverable',
    num_epochs: data.parser.num_epochs,
    patience: data.parser.patience,
    validation_metric: '+las',
    grad_norm: 5.0,
    optimizer: { type: 'adam', lr: 0.002, betas: [0.9, 0.9], eps: 1e-12 },
    // The rate is lr * decay_rate^(step / decay_steps).
    learning_rate_scheduler: { type: 'exponential_decay', decay_rate: 0.75, decay_steps: 5000 },
    checkpointer: { type: 'complete', keep_most_recent_by_count: 1 },
    // Ends the training after LISA_MAX_HOURS, if that is set.
    callbacks: ['time_limit'],
  },
}
