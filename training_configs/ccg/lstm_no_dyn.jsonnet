// Figures 2 and 3: the forward LSTM over a plain window.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.lstm, { gate: { type: 'open' }, gate_dropout: 0.0 })
