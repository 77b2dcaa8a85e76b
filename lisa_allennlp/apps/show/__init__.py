"""
Pictures of labelled sentences, for `lisa show`, `lisa label`, `lisa serve` and notebooks.

- `layout` says where words, arcs and role spans are; `svg` draws them.
- `figures` puts the pictures of one or two readings together; `page` has them as HTML.
- `terminal` prints tables and pictures.
- `comparison` finds what differs between two readings; `theme` has the colours, `texts` the labels.

spaCy's displaCy gives every word the same width, leaves out roots, and neither escapes labels nor
shows roles by predicate, so the pictures are drawn here.
"""
