// The teacher of the English models, over MPNet.
//
//     LISA_DATA=ewt LISA_CORPUS=FOLDER LISA_TRANSFORMER=~/.cache/lisa-allennlp/encoders/mpnet \
//         lisa train training_configs/english_large.jsonnet -s OUT
//
// `python -m experiments.english.factuality` writes ewt-train.conllu and ewt-dev.conllu in the folder.
(import 'lisa_encoder.jsonnet') + (import 'lib/english.libsonnet')
