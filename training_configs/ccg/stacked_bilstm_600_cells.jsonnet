// The stacked bi-LSTM with 600 cells, which the paper also tried; not a row of its tables.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm, { cells: 600 })
