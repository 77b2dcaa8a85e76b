// Table 2, stacked bi-LSTM (no dyn): a plain window.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm, { gate: { type: 'open' }, gate_dropout: 0.0 })
