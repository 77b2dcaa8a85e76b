// The second round of training `english-fast`.
(import '../lib/second_round.libsonnet')(import '../lib/english_fast.libsonnet')
