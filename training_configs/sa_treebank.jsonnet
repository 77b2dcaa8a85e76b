// SA for a treebank with roles in any language: lisa_treebank without syntax.
(import 'lisa_treebank.jsonnet') + (import 'lib/sa.libsonnet')
