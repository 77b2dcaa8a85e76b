// The MLP over a plain window.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.mlp, { window_size: 4, gate: { type: 'open' }, gate_dropout: 0.0 })
