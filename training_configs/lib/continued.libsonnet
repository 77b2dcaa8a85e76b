// The second part of training a shipped model: the treebank alone, with its senses and a small learning
// rate.
{
  dataset_reader+: { senses: true },
  model+: { sense_tagger: { type: 'linear' } },
  trainer+: {
    num_epochs: 8,
    optimizer+: { lr: 0.0005 },
    learning_rate_scheduler+: { warmup_steps: 100 },
  },
}
