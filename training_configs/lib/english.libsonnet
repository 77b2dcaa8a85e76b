// English sentences with senses and with whether events happened. LISA_SILVER may name files with more of them, such as
// those that a teacher has labelled: each pass over train then reads up to four times as many.
local data = import 'data.libsonnet';

{
  // The vectors that LISA_DESCRIPTIONS names, which experiments/english/descriptions.py makes. A training that
  // continues from a model takes them from there.
  descriptions:: {
    type: 'embedding',
    embedding_dim: 128,
    vocab_namespace: 'sense_labels',
    trainable: false,
    pretrained_file: data.descriptions,
  },
  dataset_reader+: { type: 'annotated_srl', senses: true, factuality: true },
  train_data_path: if data.silver == null then data.parser.train else { new: data.parser.train, replay: data.silver },
  validation_data_path: data.parser.validation,
  model+: { lexicon: 'english', sense_tagger: { type: 'linear' }, sense_loss_weight: 0.3, factuality_loss_weight: 0.3 },
  validation_data_loader: { batch_sampler: $.data_loader.batch_sampler },
}
