"""
The commands `label`, `show`, `predict`, `annotate`, `evaluate`, `score`, `compare`, `analyze`,
`convert`, `train`, `print-results`, `export`, `models` and `prepare`. `lisa` has them, and so has
`allennlp` if the plug-in is loaded. `predict`, `evaluate`, `train` and `print-results` replace
AllenNLP's commands.

Each module has one command. Its arguments are in the module of the same name in `arguments`, which
imports neither PyTorch nor AllenNLP; so importing this package imports nothing.
"""
