// The shipped model `english-fast`, which continues from the network of english/silver_fast.jsonnet.
(import 'lib/english_fast.libsonnet') + (import 'lib/continued.libsonnet')
