// The network of `english-fast`, which continues from its weights as english/student.jsonnet from the teacher's.
local data = import '../lib/data.libsonnet';

(import '../lib/english_fast.libsonnet') + (import '../lib/continued.libsonnet') + (import '../lib/treebank.libsonnet') + {
  model+: { sense_loss_weight: 0.1 },
  trainer+: { optimizer+: { lr: if data.silver == null then 0.0005 else 0.001 } },
}
