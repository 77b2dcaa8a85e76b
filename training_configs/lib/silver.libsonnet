// The first part of training a shipped model: sentences of raw text that the teachers have labelled, with
// the treebank's sentences among them. There is less dropout than on the treebank, since no sentence is
// read more than a few times. An epoch is 600 batches.
local data = import 'data.libsonnet';

function(network) network {
  train_data_path: data.silver,
  vocabulary+: {
    // The treebank's sentences come in four copies, so a word that occurs once in it is unknown.
    min_count: { tokens: 8 },
  },
  model+: {
    encoder+: { input_dropout: 0.1, residual_dropout: 0.1, parse_dropout: 0.2 },
    role_dropout: 0.2,
  },
  data_loader+: {
    batch_sampler+: { max_tokens: 2000 },
    max_instances_in_memory: 30000,
    batches_per_epoch: 600,
  },
  validation_data_loader: { batch_sampler: network.data_loader.batch_sampler },
  trainer+: { num_epochs: 10 },
}
