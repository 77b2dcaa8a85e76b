// SA for two CPU cores: lisa_small without syntax.
(import 'lisa_small.jsonnet') + (import 'lib/sa.libsonnet')
