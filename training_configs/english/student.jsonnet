// A student of english/teacher.jsonnet, over MiniLM, which first learns from what the teacher has labelled.
// `python -m experiments.english.plan` runs its trainings.
(import '../lib/treebank_encoder.libsonnet') + {
  trainer+: {
    optimizer+: {
      parameter_groups: [
        [['transformer_model'], { lr: 1.5e-4, fused: true }],
        [['^(?!.*transformer_model)'], { fused: true }],
      ],
    },
  },
}
