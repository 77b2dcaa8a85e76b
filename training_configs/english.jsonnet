// The shipped model `english`, over MiniLM. `python -m experiments.english.plan` trains it; to continue on your own
// sentences, see docs/correcting.md:
//
//     lisa train english --from english --train FILE -s OUT
(import 'lib/english.libsonnet') + {
  trainer+: {
    optimizer+: {
      parameter_groups: [
        [['transformer_model'], { lr: 1.5e-4, fused: true }],
        [['^(?!.*transformer_model)'], { fused: true }],
      ],
    },
  },
}
