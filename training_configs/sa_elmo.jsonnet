// SA with ELMo, at the published size.
(import 'lisa_elmo.jsonnet') + (import 'lib/sa.libsonnet')
