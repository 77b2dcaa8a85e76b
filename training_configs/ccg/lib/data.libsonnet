// The corpora on which the supertagger can be trained. As for LISA's configs, LISA_DATA names one of
// them, LISA_CORPUS its folder, and LISA_VECTORS a file of word vectors in GloVe's text format. The
// default is the project's hand-written derivations.
local beside = import '../../lib/beside.libsonnet';

local given(name, default) = if std.extVar(name) == '' then default else std.extVar(name);
local name = given('LISA_DATA', 'sample');
local folder = given('LISA_CORPUS', error 'LISA_DATA is ' + name + ', but LISA_CORPUS is not set: ' +
                                         'expected the folder of that corpus');

local fixtures = beside(std.thisFile, '../../../fixtures');

local published = {
  num_epochs: 60,
  patience: 10,
  hidden_dim: 512,
  // Supertags with fewer occurrences in training are rare.
  frequent: 10,
  // The words of Figure 4, as the network reads them.
  gate_words: ['that', 'to', 'the', 'like'],
};

local corpora = {
  sample: published {
    format: 'auto',
    train: fixtures + '/ccg/AUTO#02-03',
    validation: fixtures + '/ccg/AUTO#00',
    test: fixtures + '/ccg/AUTO#23',
    vectors: given('LISA_VECTORS', fixtures + '/ccg/vectors.20d.txt.gz'),
    vectors_dim: 20,
    hidden_dim: 64,
    frequent: 3,
    gate_words: ['the', '.'],
  },
  // CCGbank (LDC2005T13): LISA_CORPUS is its folder data/AUTO. GloVe's 200d vectors.
  ccgbank: published {
    format: 'auto',
    train: folder + '#02-21',
    validation: folder + '#00',
    test: folder + '#23',
    vectors: given('LISA_VECTORS', folder + '/glove.6B.200d.txt'),
    vectors_dim: 200,
  },
  // Supertags derived from the trees of ewt-{train,dev,test}.conllu in LISA_CORPUS; 100d vectors.
  ewt: published {
    format: 'dependencies',
    train: folder + '/ewt-train.conllu',
    validation: folder + '/ewt-dev.conllu',
    test: folder + '/ewt-test.conllu',
    vectors: given('LISA_VECTORS', folder + '/vectors.100d.txt.gz'),
    vectors_dim: 100,
  },
};

if std.objectHas(corpora, name) then corpora[name]
else error 'LISA_DATA is ' + name + '; expected one of ' + std.join(', ', std.objectFields(corpora))
