// Table 2, bi-LSTM.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.bilstm)
