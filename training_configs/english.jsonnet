// The shipped model `english`: the first four layers of english_large.jsonnet, half as wide between their two
// feed-forward maps, and what is above them. It learned from the sentences that its teacher labelled and then, at half
// the rate, from the treebank alone; last, with all else frozen, its `factuality_encoder` learned whether events
// happened (`python -m experiments.english.plan`). To continue on sentences of yours:
//
//     lisa train english --from english --train FILE -s OUT
local data = import 'lib/data.libsonnet';
local rate = if data.silver == null then 0.00005 else 0.0001;

(import 'english_large.jsonnet') + {
  model+: {
    text_field_embedder+: {
      token_embedders+: { encoder+: { transformer_kwargs: { num_hidden_layers: 4, intermediate_size: 1536 } } },
    },
    sense_tagger+: { descriptions: $.descriptions },
    factuality_encoder: {
      type: 'syntactically_informed_self_attention',
      num_layers: 1,
      head_dim: 32,
      predicate_layer: 0,
      parse_layer: null,
      intermediate_norms: false,
      input_dropout: 0.2,
      feedforward_dropout: 0.2,
      residual_dropout: 0.2,
    },
  },
  trainer+: {
    optimizer+: {
      lr: 10 * rate,
      parameter_groups: [
        [['transformer_model'], { lr: rate, fused: true }],
        [['^(?!.*transformer_model)'], { fused: true }],
      ],
    },
  },
}
