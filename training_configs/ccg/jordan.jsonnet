// Table 2, Jordan RNN.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.jordan)
