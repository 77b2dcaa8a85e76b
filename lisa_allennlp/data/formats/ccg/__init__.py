"""
Lexical categories of Combinatory Categorial Grammar (supertags) and their file formats.

- `rare_category`: the symbol for categories outside the category set.
- `words`: digits, case and capitalisation of the supertagger's inputs.
- `categories`: the notation of categories.
- `auto`, `pipes`, `columns`: one file format each.
- `dependencies`: supertags derived from dependency trees.
"""
