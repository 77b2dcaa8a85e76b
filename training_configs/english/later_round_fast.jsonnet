// The second and the third round of training `english-fast`.
(import '../lib/later_round.libsonnet')(import '../lib/english_fast.libsonnet')
