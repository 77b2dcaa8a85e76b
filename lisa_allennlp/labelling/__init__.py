"""
The door: the one way from an input to a labelled sentence, on which commands, predictors and
`lisa_allennlp.load` stand.

- `requests`: what may be asked, checked.
- `labeller`: what the labellers of all models share; `lisa_labeller`, `parser_labeller` and
  `supertag_labeller` are one per model.
- `groups`, `processes`, `batches`: many inputs at once, also where some of them are bad.
- `loading`: from an archive to a labeller.
- `rendering`, `writing`: sentences for people and for programs.
- `parse_sources`: other parsers, whose trees LISA attends to.
"""
