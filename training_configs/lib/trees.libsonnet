// The path of a corpus file's trees: the .conllu file beside it.
function(path)
  if std.endsWith(path, '.gold_conll') then std.substr(path, 0, std.length(path) - 11) + '.conllu'
  else if std.endsWith(path, '.conll') then path + 'u'
  // The reader searches a folder for .conllu files.
  else path
