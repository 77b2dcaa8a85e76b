// What `lisa reproduce` evaluates on: the parts of the chosen corpus, each as the file with its roles
// and the file with its trees, and where ELMo is.
local data = import 'data.libsonnet';
local trees = import 'trees.libsonnet';

{
  parts: {
    [part]: { roles: files[part], trees: trees(files[part]) }
    for files in [{ dev: data.validation } + data.tests]
    for part in std.objectFields(files)
  },
  elmo: data.elmo,
}
