"""
Lexical categories of Combinatory Categorial Grammar in files.

- `rare_category`: the symbol for categories outside of a category set.
- `words`: digits, case and capitalisation, as the supertagger sees them.
- `categories`: the notation of categories.
- `auto`, `pipes`, `columns`: one format each.
- `dependencies`: labels like supertags, made from dependency trees.
"""
