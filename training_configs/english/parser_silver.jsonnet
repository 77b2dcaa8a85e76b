// A parser as a teacher of the fourth and of the fifth round: parser_teacher.jsonnet on sentences with labels,
// with two copies of the treebank's among them. No sentence is read more than twice, so there is less dropout.
local data = import '../lib/data.libsonnet';
local trees = import '../lib/trees.libsonnet';

(import 'parser_teacher.jsonnet') + {
  train_data_path: trees(data.silver),
  // The treebank's sentences come in copies.
  vocabulary+: { min_count: { tokens: 4 } },
  model+: { word_dropout: 0.1, dropout: 0.1, encoder+: { input_dropout: 0.1, recurrent_dropout: 0.1 } },
  trainer+: { num_epochs: 1 },
}
