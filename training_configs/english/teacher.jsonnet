// The teacher of the English models: lisa_encoder.jsonnet over MPNet, with senses and with whether events happened.
//
//     LISA_DATA=ewt LISA_CORPUS=FOLDER LISA_TRANSFORMER=~/.cache/lisa-allennlp/encoders/mpnet \
//         lisa train training_configs/english/teacher.jsonnet -s OUT
//
// `python -m experiments.english.factuality` writes ewt-train.conllu and ewt-dev.conllu in the folder. An epoch is
// 200 batches, so that an interruption costs little; 14 of them are four passes.
local data = import '../lib/data.libsonnet';

(import '../lisa_encoder.jsonnet') + {
  dataset_reader+: { type: 'annotated_srl', senses: true, factuality: true },
  train_data_path: data.parser.train,
  validation_data_path: data.parser.validation,
  model+: { sense_tagger: { type: 'linear' }, sense_loss_weight: 0.3, factuality_loss_weight: 0.3 },
  data_loader+: { batches_per_epoch: 200 },
  validation_data_loader: { batch_sampler: $.data_loader.batch_sampler },
  trainer+: { num_epochs: 14 },
}
