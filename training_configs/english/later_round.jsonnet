// The second round of training `english`.
(import '../lib/second_round.libsonnet')(import '../lib/english.libsonnet')
