// A student of english/teacher.jsonnet: the first four of its layers and what is above them. It learns from the
// sentences that the teacher has labelled and then, at half the rate, from the treebank alone.
//
//     LISA_SILVER=... lisa train training_configs/english/student.jsonnet --from TEACHER -s OUT/silver
//     lisa train training_configs/english/student.jsonnet --from OUT/silver -s OUT/student
//
// `python -m experiments.english.plan` runs both.
local data = import '../lib/data.libsonnet';
local rate = if data.silver == null then 0.00005 else 0.0001;

(import 'teacher.jsonnet') + {
  model+: {
    text_field_embedder+: {
      token_embedders+: { encoder+: { transformer_kwargs: { num_hidden_layers: 4 } } },
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
