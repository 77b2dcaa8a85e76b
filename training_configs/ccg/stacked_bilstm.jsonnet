// Table 2, stacked bi-LSTM (depth 2); also the first row of Table 3, one layer.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm)
