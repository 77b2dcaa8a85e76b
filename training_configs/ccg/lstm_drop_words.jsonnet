// Figure 2: the forward LSTM with dropout on words but no gates (equation 12).
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.lstm, { gate: { type: 'open' } })
