// The files that `lisa reproduce --paper ccg` evaluates.
local data = import 'data.libsonnet';

{
  parts: { dev: { supertags: data.validation }, test: { supertags: data.test } },
}
