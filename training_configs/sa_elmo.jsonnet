// SA with ELMo, at published size.
(import 'lisa_elmo.jsonnet') + (import 'lib/sa.libsonnet')
