// The D&M parser for two CPU cores and some twenty epochs, in which the published one would not get
// far: highways around its layers, scores that do not all start at zero, less dropout, and a rate
// that falls to zero over the budget. Products are in bfloat16, which pays on processors with
// instructions for it.
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
