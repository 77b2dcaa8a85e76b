// Where the trees of a corpus file are: in the .conllu file beside it.
function(path)
  if std.endsWith(path, '.gold_conll') then std.substr(path, 0, std.length(path) - 11) + '.conllu'
  else if std.endsWith(path, '.conll') then path + 'u'
  // A folder is searched for .conllu files.
  else path
