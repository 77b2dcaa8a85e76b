// What makes SA of LISA: the same network without its syntactic head, trained without trees.
{
  dataset_reader+: { parses_suffix: null },
  model+: { encoder+: { parse_layer: null } },
}
