// The second and all later rounds of training `english-fast`.
(import '../lib/later_round.libsonnet')(import '../lib/english_fast.libsonnet')
