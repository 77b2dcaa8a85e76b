// The Elman RNN over a plain window; not a row of the paper's tables.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.elman, { gate: { type: 'open' }, gate_dropout: 0.0 })
