// Table 2, Elman RNN.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.elman)
