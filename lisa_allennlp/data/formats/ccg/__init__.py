"""
Lexical categories of Combinatory Categorial Grammar (supertags) and their file formats.

- `categories`: the notation of categories.
- `auto`, `pipes`: CCGbank's derivations, and the C&C tools' formats.
- `columns`: one token per line; supertags derived from dependency trees.
"""
