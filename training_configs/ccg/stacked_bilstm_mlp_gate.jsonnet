// Table 3, two layer (MLP): the gate network has a hidden layer.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm, { gate: { type: 'mlp' } })
