// The shipped model `english-fast`, whose network is small and reads words and characters. It learned as english.jsonnet
// did, and continues in the same way.
local data = import 'lib/data.libsonnet';

(import 'lib/treebank.libsonnet') + (import 'lib/english.libsonnet') + {
  model+: { sense_loss_weight: 0.1, sense_tagger+: { descriptions: $.descriptions } },
  trainer+: {
    num_epochs: 8,
    optimizer+: { lr: if data.silver == null then 0.0005 else 0.001 },
    // The rate rises for a twentieth of the steps, which is right for any size of corpus, and falls to zero.
    learning_rate_scheduler: { type: 'slanted_triangular', cut_frac: 0.05, ratio: 1000 },
  },
}
