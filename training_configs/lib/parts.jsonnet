// What `lisa reproduce` reads: for each part of the selected corpus, the files with its roles and its
// trees; the trees that the parser is trained and validated on; and the location of ELMo.
local data = import 'data.libsonnet';
local trees = import 'trees.libsonnet';

{
  parts: {
    [part]: { roles: files[part], trees: trees(files[part]) }
    for files in [{ dev: data.validation } + data.tests]
    for part in std.objectFields(files)
  },
  train: { roles: data.train, trees: data.parser.train },
  parser_validation: data.parser.validation,
  elmo: data.elmo,
}
