// The D&M parser of dm_small.jsonnet, which reads characters instead of tags, since raw text has no tags.
local embeddings = import 'lib/embeddings.libsonnet';

(import 'dm_small.jsonnet') + embeddings.characters + {
  dataset_reader+: { pos_suffix: null },
  model+: { pos_tag_embedding: null },
  trainer+: { num_epochs: 14 },
}
