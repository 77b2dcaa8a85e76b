// What `lisa reproduce --paper ccg` evaluates on.
local data = import 'data.libsonnet';

{
  parts: { dev: { supertags: data.validation }, test: { supertags: data.test } },
}
