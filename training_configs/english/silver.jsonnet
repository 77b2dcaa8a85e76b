// The first part of training `english`.
(import '../lib/silver.libsonnet')(import '../lib/english.libsonnet')
