// Figure 2: the forward LSTM with gates but no dropout on them (equation 9).
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.lstm, { gate_dropout: 0.0 })
