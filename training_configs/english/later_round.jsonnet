// The second and the third round of training `english`.
(import '../lib/later_round.libsonnet')(import '../lib/english.libsonnet')
