// Table 2, stacked bi-LSTM (no char): no character embeddings.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm, { characters: false })
