// A later round of training a shipped model, which continues from the one before: more raw text, which the
// earlier model and a parser have labelled together, with PropBank's example sentences.
function(network) (import 'silver.libsonnet')(network) + (import 'continued.libsonnet') + {
  model+: { sense_loss_weight: 0.3 },
  data_loader+: { batch_sampler+: { max_tokens: 2500 }, batches_per_epoch: 600 },
  trainer+: {
    num_epochs: 4,
    optimizer+: { lr: 0.001 },
    // To a tenth of the rate: the treebank follows.
    learning_rate_scheduler+: { ratio: 10 },
  },
}
