"""
Pictures of labelled sentences, for `lisa show`, `lisa label` and notebooks.

- `levels` decides which arcs are above which; `columns` and `font` place words in SVG.
- `layout` breaks the words into `lines` if a picture has a width; `arcs` and `bars` have parts on
  each line, and `labels` has their texts.
- `terminal` draws a tree beside the words and roles as coloured spans; `terminal_tree` has its
  lines. `table` formats a sentence as a table.
- `svg` draws arcs above and roles below the words; `page` puts such pictures into an HTML page.
- `notebook` registers them with IPython.
- `heat_map` and `terminal_heat_map` show the attention of LISA's syntactic head.
- `comparison` finds what differs between two readings of a sentence; `marks` says what is marked.
- `description` puts a sentence into words, for screen readers.

spaCy's displaCy gives every word the same width, leaves out roots, and neither escapes labels nor
shows roles by predicate, so the pictures are drawn here.
"""
