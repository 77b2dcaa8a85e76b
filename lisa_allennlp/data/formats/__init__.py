"""
Everything that is known of files and label strings; readers, writers and metrics share it.

- `errors`: the one error that malformed corpora raise.
- `columns`: lines, sentences, role columns and tree columns, common to all column formats.
- `conll05`, `conll12`, `conllu`: one corpus format each, read and written.
- `constituents`, `gold_skel`: what corpora are prepared from.
- `roles`: brackets, BIO labels, spans, and the arguments that srl-eval.pl counts.
- `joint_tags`: tags that say both the part of speech and whether a word is a predicate.
- `ccg`: lexical categories and the formats that they come in.
- `tokens`: how corpora write brackets, and what counts as punctuation.
"""
