"""
File formats, shared by readers, writers and metrics.

- `annotated_files` reads any format, `conversion` writes any, `corpus_files` finds files.
- `corrections`: what people corrected.
- `columns`: lines, sentences, role columns and tree columns of all column formats.
- `conll05`, `conll09`, `conll12`, `conllu`, `json_lines`, `parquet`, `vertical`: one format each.
- `recognition`: the format of a file by its first lines.
- `standoff`: annotation beside a text, for brat and UIMA.
- `role_tables`: roles as tables, in CSV and Parquet.
- `treebanks`: trees in any format that has them.
- `constituents`, `gold_skel`: formats that `lisa prepare` reads.
- `universal_propbank`: roles in columns of CoNLL-U Plus.
- `ccg`: CCG lexical categories and their file formats.
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
