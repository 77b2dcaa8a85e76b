// LISA as published (Strubell et al. 2018, appendix A.4), without word embeddings.
local data = import 'data.libsonnet';

{
  dataset_reader: { type: data.reader },
  train_data_path: data.train,
  validation_data_path: data.validation,
  // The model must not know labels that occur only in development data.
  datasets_for_vocab_creation: ['train'],
  model: {
    type: 'lisa',
    text_field_embedder: {},
    encoder: {
      type: 'syntactically_informed_self_attention',
      num_layers: 12,
      num_heads: 8,
      head_dim: 25,
      feedforward_hidden_dim: 800,
      // 3 in the authors' code.
      feedforward_num_layers: 2,
      // From the authors' code, which counts from 0: predicates are read from "layer 3", and "layer 4"
      // attends to the tree. The paper only says that predicates come first (section 2.3).
      predicate_layer: 4,
      parse_layer: 5,
      arc_dim: 500,
      label_dim: 100,
      input_dropout: 0.1,
      attention_dropout: 0.1,
      feedforward_dropout: 0.1,
      residual_dropout: 0.1,
      parse_dropout: 0.1,
    },
    role_decoder: { type: 'viterbi' },
    predicate_dim: 200,
    role_dim: 200,
    role_dropout: 0.1,
    label_smoothing: 0.0,
    arc_loss_weight: 1.0,
    head_tag_loss_weight: 0.1,
  },
  data_loader: {
    batch_sampler: {
      type: 'max_tokens_sampler',
      max_tokens: data.tokens_per_batch,
      sorting_keys: ['tokens'],
      padding_noise: 0.1,
    },
  },
  validation_data_loader: self.data_loader,
  // The best weights without a pickle, how the model labels without PyTorch, and the files that its config names,
  // so that `allennlp train` archives them as `lisa train` does.
  include_in_archive: ['best.safetensors', 'network.json', 'graphs', 'model_files'],
  trainer: {
    type: 'recoverable',
    num_epochs: data.num_epochs,
    patience: data.patience,
    validation_metric: '+srl_f1',
    grad_norm: 1.0,
    optimizer: { type: 'lazy_nadam', lr: data.learning_rate, betas: [0.9, 0.98], eps: 1e-12 },
    // With model_size 1, the rate is factor * min(step^-0.5, step * warmup_steps^-1.5).
    learning_rate_scheduler: {
      type: 'noam',
      model_size: 1,
      factor: data.learning_rate,
      warmup_steps: data.warmup_steps,
    },
    checkpointer: { type: 'complete', keep_most_recent_by_count: 1 },
    callbacks: [
      // Counts the transitions of role labels for the Viterbi decoder.
      'role_statistics',
      // Ends the training after LISA_MAX_HOURS, if that is set.
      'time_limit',
    ],
  },
}
