// The D&M parser for two CPU cores: the published network with GloVe vectors, in reduced precision
// (which pays on processors with instructions for bfloat16), and a rate that falls to zero over a
// fixed budget.
(import 'dm_glove.jsonnet') + {
  model+: { precision: 'bfloat16' },
  trainer+: {
    num_epochs: 24,
    patience: null,
    learning_rate_scheduler: { type: 'linear_with_warmup', warmup_steps: 100 },
  },
}
