// The second part of training a shipped model: the treebank alone, with a small learning rate.
{
  trainer+: {
    num_epochs: 8,
    optimizer+: { lr: 0.0005 },
    learning_rate_scheduler+: { warmup_steps: 100 },
  },
}
