// The first part of training `english-fast`.
(import '../lib/silver.libsonnet')(import '../lib/english_fast.libsonnet')
