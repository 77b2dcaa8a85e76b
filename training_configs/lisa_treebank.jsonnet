// LISA for a treebank with roles in any language, such as those of Universal PropBank: half an hour on two CPU
// cores for 150,000 tokens.
//
//     LISA_LANGUAGE=pt lisa train lisa_treebank --train pt-train.conllup --dev pt-dev.conllup -s OUT
//
// LISA_LANGUAGE is the language's code in spaCy, whose rules split raw text. LISA_VECTORS may name a file of word
// vectors in GloVe's text format, of 100 dimensions. Without these files, it is the project's Spanish sample.
local beside = import 'lib/beside.libsonnet';
local embeddings = import 'lib/embeddings.libsonnet';

local language =
  if std.extVar('LISA_LANGUAGE') != '' then std.extVar('LISA_LANGUAGE')
  else error 'LISA_LANGUAGE is not set: expected the code of a language, such as es';

local words =
  if std.extVar('LISA_VECTORS') != '' then embeddings.glove
  else embeddings.trained + { vocabulary: { min_count: { tokens: 2 } } };

(import 'lib/treebank.libsonnet') + words + {
  dataset_reader+: {
    type: 'annotated_srl',
    senses: true,
    // true takes the treebank's own tags.
    use_language_specific_pos: false,
    // Projected roles miss a quarter of the verbs; true is for a corpus without gaps.
    learn_unmarked_verbs: false,
  },
  train_data_path: beside(std.thisFile, '../fixtures/languages/train.conllup'),
  validation_data_path: beside(std.thisFile, '../fixtures/languages/dev.conllup'),
  model+: { language: language, sense_tagger: { type: 'linear' } },
  data_loader+: { batch_sampler+: { max_tokens: 1500 } },
  trainer+: {
    num_epochs: 30,
    patience: null,
    optimizer+: { lr: 0.002 },
    // Learns to split raw text into sentences.
    callbacks+: ['sentence_splitter'],
    learning_rate_scheduler: { type: 'slanted_triangular', cut_frac: 0.1, ratio: 1000 },
  },
}
