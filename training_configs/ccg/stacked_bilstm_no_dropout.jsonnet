// Table 2, stacked bi-LSTM (no dropout): on neither gates nor hidden outputs.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm, { gate_dropout: 0.0, hidden_dropout: 0.0 })
