// The D&M parser for two CPU cores and about twenty epochs, which are too few for the published network:
// highways around the layers, scores that do not all start at zero, less dropout, and a learning rate
// that falls to zero over the budget. Products in bfloat16 are faster on processors with AMX or
// AVX512-BF16, and slower on others.
(import 'dm_glove.jsonnet') + {
  model+: {
    precision: 'bfloat16',
    word_dropout: 0.2,
    tag_dropout: 0.2,
    encoder+: { highway: true, input_dropout: 0.2, recurrent_dropout: 0.2 },
    dropout: 0.2,
    initializer: {
      regexes: [['_(arc|label)_form.*weight', { type: 'xavier_uniform' }]],
    },
  },
  trainer+: {
    num_epochs: 20,
    patience: null,
    learning_rate_scheduler: { type: 'linear_with_warmup', warmup_steps: 0 },
  },
}
