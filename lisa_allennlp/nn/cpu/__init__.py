"""
Faster forms for the CPU of functions in `lisa_allennlp.nn` and of layers: packed tokens, fast
dropout, distinct words, recurrences with their own derivatives, and compiled loops. Each caller
selects its form in one line. Without this folder the networks would compute the same, more slowly.
"""
