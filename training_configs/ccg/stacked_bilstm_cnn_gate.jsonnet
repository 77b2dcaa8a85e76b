// Table 3, one layer (CNN): one gate per dimension of a word.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm, { gate: { type: 'convolution' } })
