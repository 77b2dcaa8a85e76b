// Table 2, stacked bi-LSTM (no char): words are not represented by their characters.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm, { characters: false })
