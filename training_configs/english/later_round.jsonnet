// The second and all later rounds of training `english`.
(import '../lib/later_round.libsonnet')(import '../lib/english.libsonnet')
