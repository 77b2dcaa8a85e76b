// The path of something in the project, relative to the folder of a file: for `file` a/lib/b.libsonnet and
// `path` ../../fixtures, it is fixtures. Configs thus find the sample from any folder.
function(file, path)
  local parts = std.split(file, '/');
  local join(done, part) =
    local last = std.length(done) - 1;
    if part == '..' && last >= 0 && done[last] != '..' then done[:last] else done + [part];
  std.join('/', std.foldl(join, parts[:std.length(parts) - 1] + std.split(path, '/'), []))
