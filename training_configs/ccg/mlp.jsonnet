// Table 2, MLP: nine words at once.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.mlp, { window_size: 4 })
