// The second part of training a shipped model: the treebank alone, or your sentences, with their senses and a
// small learning rate.
{
  dataset_reader+: { senses: true },
  model+: {
    sense_tagger: { type: 'linear' },
    lexicon: 'english',
  },
  trainer+: {
    num_epochs: 8,
    optimizer+: { lr: 0.0005 },
    // The rate rises for a twentieth of the steps, which is right for any size of corpus, and falls to
    // zero.
    learning_rate_scheduler: { type: 'slanted_triangular', cut_frac: 0.05, ratio: 1000 },
  },
}
