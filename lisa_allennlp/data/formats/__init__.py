"""
File formats and label notations, shared by readers, writers and metrics.

- `errors`: the error that malformed corpora raise.
- `columns`: lines, sentences, role columns and tree columns of all column formats.
- `conll05`, `conll09`, `conll12`, `conllu`, `json_lines`, `parquet`, `vertical`: one format each.
- `recognition`: the format of a file by its first lines.
- `standoff`: annotation beside a text, for brat and UIMA.
- `role_tables`: roles as tables, in CSV and Parquet.
- `treebanks`: trees in any format that has them.
- `constituents`, `gold_skel`: formats that `lisa prepare` reads.
- `universal_propbank`: roles in columns of CoNLL-U Plus.
- `roles`: brackets, BIO labels, spans, rolesets and joint tags.
- `propbank_frames`: the meanings of rolesets.
- `ccg`: CCG lexical categories and their file formats.
- `tokens`: escaped brackets and punctuation.
"""

READABLE_FORMATS = (
    "props",
    "gold_conll",
    "conll05",
    "conll09",
    "conllu",
    "conllup",
    "json",
    "parquet",
    "vertical",
)
"""The formats that `lisa_allennlp.data.annotated_files` reads."""

WRITABLE_FORMATS = (
    "json",
    "conllu",
    "conllup",
    "gold_conll",
    "conll05",
    "conll09",
    "combined_bio",
    "props",
    "csv",
    "parquet",
    "brat",
    "cas",
)
"""The formats that `lisa_allennlp.data.conversion` writes."""
