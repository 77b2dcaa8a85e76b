// Turns LISA into SA: the same network without the syntactic head, trained without trees.
{
  dataset_reader+: { parses_suffix: null },
  model+: { encoder+: { parse_layer: null } },
}
