// Table 2, MLP: a window of nine words.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.mlp, { window_size: 4 })
