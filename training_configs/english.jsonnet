// The shipped model `english`. It continues from the network that english/silver.jsonnet trains:
//
//     lisa train training_configs/english.jsonnet --from SILVER/model.tar.gz -s OUT
//
// `python -m experiments.english.plan` runs this and all that comes before it.
(import 'lib/english.libsonnet') + (import 'lib/continued.libsonnet')
