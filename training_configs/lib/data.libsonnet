// The corpora on which the configs can be trained. The environment variable LISA_DATA names one of them,
// LISA_CORPUS its folder, LISA_VECTORS a file of word vectors in GloVe's text format, LISA_SILVER files of
// automatically labelled sentences, with commas between them, LISA_DESCRIPTIONS vectors of rolesets, LISA_ELMO the
// common start of the names of ELMo's two files, and LISA_TRANSFORMER a Hugging Face encoder. The defaults are the
// project's sample with its small word vectors and tiny ELMo.
local beside = import 'beside.libsonnet';
local trees = import 'trees.libsonnet';

local given(name, default) = if std.extVar(name) == '' then default else std.extVar(name);
local name = given('LISA_DATA', 'sample');
local folder = given('LISA_CORPUS', error 'LISA_DATA is ' + name + ', but LISA_CORPUS is not set: ' +
                                         'expected the folder of that corpus');

local fixtures = beside(std.thisFile, '../../fixtures');

local published = {
  vectors: given('LISA_VECTORS', folder + '/glove.6B.100d.txt'),
  // The "original" ELMo, trained on the 1 Billion Word Benchmark, which the authors' README downloads. The
  // later one, trained on 5.5 billion words, has "5.5B_" after this.
  elmo: given('LISA_ELMO', folder + '/elmo_2x4096_512_2048cnn_2xhighway_'),
  // About 5000 tokens per batch, a learning rate of 0.04 and 8000 steps of warm-up (LISA, appendix A.4).
  tokens_per_batch: 5000,
  learning_rate: 0.04,
  warmup_steps: 8000,
  num_epochs: 1000,
  patience: 50,
  // D&M train their parser for about 50,000 steps, here of 5000 tokens, without early stopping.
  parser+: { num_epochs: 250, patience: null },
  // lisa_small.jsonnet uses a fixed budget instead.
  small: { num_epochs: 28, peak_rate: 0.0015, warmup_steps: 500 },
};

local corpora = {
  sample: {
    reader: 'conll12_srl',
    train: fixtures + '/sample/train.gold_conll',
    validation: fixtures + '/sample/dev.gold_conll',
    tests: { test: fixtures + '/sample/test.gold_conll' },
    vectors: given('LISA_VECTORS', fixtures + '/sample/vectors.100d.txt.gz'),
    elmo: given('LISA_ELMO', fixtures + '/elmo/'),
    // There are few steps, so the peak rate, learning_rate / sqrt(warmup_steps), must come early.
    tokens_per_batch: 250,
    learning_rate: 0.01,
    warmup_steps: 100,
    num_epochs: 25,
    patience: 25,
    parser+: { num_epochs: 25, patience: 25 },
    small: { num_epochs: 25, peak_rate: 0.002, warmup_steps: 50 },
  },
  // English Web Treebank: ewt-{train,dev,test}.gold_conll and .conllu in LISA_CORPUS.
  ewt: published {
    reader: 'conll12_srl',
    train: folder + '/ewt-train.gold_conll',
    validation: folder + '/ewt-dev.gold_conll',
    tests: { test: folder + '/ewt-test.gold_conll' },
    vectors: given('LISA_VECTORS', folder + '/vectors.100d.txt.gz'),
    tokens_per_batch: 1500,
    warmup_steps: 1000,
    num_epochs: 100,
    patience: 20,
    parser+: { num_epochs: 100, patience: 20 },
  },
  // CoNLL-2005: train.conll, dev.conll (section 24), test.wsj.conll (section 23) and test.brown.conll
  // with their .conllu in LISA_CORPUS; and section22.conllu, on which the parser is validated.
  conll2005: published {
    reader: 'conll05_srl',
    train: folder + '/train.conll',
    validation: folder + '/dev.conll',
    tests: { test: folder + '/test.wsj.conll', brown: folder + '/test.brown.conll' },
    parser+: { validation: folder + '/section22.conllu' },
  },
  // CoNLL-2012: in LISA_CORPUS, folders train/, development/ and test/ of *.gold_conll files, each with
  // its .conllu beside it.
  conll2012: published {
    reader: 'conll12_srl',
    train: folder + '/train',
    validation: folder + '/development',
    tests: { test: folder + '/test' },
    parser+: { num_epochs: 190 },
  },
  // Any treebank, for the parser only: train.conllu, dev.conllu and test.conllu in LISA_CORPUS. Without
  // LISA_VECTORS, the parser learns all word vectors.
  treebank: published {
    train: folder + '/train.conllu',
    validation: folder + '/dev.conllu',
    tests: { test: folder + '/test.conllu' },
    vectors: given('LISA_VECTORS', null),
    // The tags are those of the treebank's own column.
    parser+: { pos_suffix: null },
  },
};

local shared(corpus) = {
  transformer: given('LISA_TRANSFORMER', 'bert-base-cased'),
  // The message of a missing file says so.
  descriptions: given('LISA_DESCRIPTIONS', 'LISA_DESCRIPTIONS, which is not set'),
  silver: local files = given('LISA_SILVER', null); if files == null then null else std.split(files, ','),
  // The trees that the parser is trained and validated on. Predicted tags are in files beside them: `lisa
  // prepare` writes those of the Stanford tagger, `lisa predict` those of a LISA.
  parser: {
    train: trees(corpus.train),
    validation: trees(corpus.validation),
    pos_suffix: '.tags.conllu',
  },
};

if std.objectHas(corpora, name) then shared(corpora[name]) + corpora[name]
else error 'LISA_DATA is ' + name + '; expected one of ' + std.join(', ', std.objectFields(corpora))
