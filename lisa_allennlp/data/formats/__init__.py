"""
Everything that is known of files and label strings; readers, writers and metrics share it.

- `structures`: the annotated sentence, which every other room speaks of.
- `errors`: the one error that malformed corpora raise.
- `columns`: lines, sentences, role columns and tree columns, common to all column formats.
- `conll05`, `conll12`, `conllu`: one corpus format each, read and written.
- `roles`: brackets, BIO labels, spans, and the arguments that srl-eval.pl counts.
- `joint_tags`: tags that say both the part of speech and whether a word is a predicate.
- `ccg`: lexical categories and the formats that they come in.
- `tokens`: the treebanks' bracket names and what counts as punctuation.
- `annotations`: the JSON form of a labelled sentence.
"""
