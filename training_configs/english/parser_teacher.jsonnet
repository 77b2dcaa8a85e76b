// One of the two teachers of `english`: the D&M parser. It reads characters instead of tags, which raw text
// does not have.
local embeddings = import '../lib/embeddings.libsonnet';

(import '../dm_small.jsonnet') + embeddings.characters + {
  dataset_reader+: { pos_suffix: null },
  model+: { pos_tag_embedding: null },
  trainer+: { num_epochs: 14 },
}
