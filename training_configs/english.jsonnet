// The shipped model `english`, to continue its training on the treebank or on sentences of yours:
//
//     lisa train english --from english --train FILE -s OUT
(import 'lib/english.libsonnet') + (import 'lib/continued.libsonnet')
