"""The grammar and the lexicon of the embedded sample corpus."""
