// Table 2, forward LSTM.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.lstm)
