// The D&M parser for two CPU cores: the published network with GloVe vectors, in reduced precision
// (which pays on processors with instructions for bfloat16), and a rate that falls to zero over a
// fixed budget. Scores that do not all start at zero save the first steps.
(import 'dm_glove.jsonnet') + {
  model+: {
    precision: 'bfloat16',
    initializer: {
      regexes: [['(arc_attention|tag_bilinear).*weight', { type: 'xavier_uniform' }]],
    },
  },
  trainer+: {
    num_epochs: 20,
    patience: null,
    learning_rate_scheduler: { type: 'linear_with_warmup', warmup_steps: 0 },
  },
}
