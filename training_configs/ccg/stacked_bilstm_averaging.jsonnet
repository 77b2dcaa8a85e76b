// Table 3, averaging: attention, that is, a weighted sum of the window's words.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm, { gate: { type: 'averaging' } })
