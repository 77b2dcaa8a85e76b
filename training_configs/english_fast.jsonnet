// The shipped model `english-fast`, whose network is small and reads words and characters, to continue its training on
// the treebank or on sentences of yours:
//
//     lisa train english_fast --from english-fast --train FILE -s OUT
(import 'lib/treebank.libsonnet') + {
  dataset_reader+: { senses: true },
  model+: { sense_tagger: { type: 'linear' }, lexicon: 'english' },
  trainer+: {
    num_epochs: 8,
    optimizer+: { lr: 0.0005 },
    // The rate rises for a twentieth of the steps, which is right for any size of corpus, and falls to zero.
    learning_rate_scheduler: { type: 'slanted_triangular', cut_frac: 0.05, ratio: 1000 },
  },
}
