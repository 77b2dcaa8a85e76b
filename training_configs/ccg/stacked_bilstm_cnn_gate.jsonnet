// Table 3, one layer (CNN): a gate for each dimension of a word.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm, { gate: { type: 'convolution' } })
