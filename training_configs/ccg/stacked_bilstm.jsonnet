// Table 2, stacked bi-LSTM (depth 2), which is also Table 3's first row, one layer.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm)
