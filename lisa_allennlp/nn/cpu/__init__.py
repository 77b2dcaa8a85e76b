"""
What exists for a CPU's sake alone: packed tokens, attention with fast dropout, distinct words,
recurrences with their own derivatives, and compiled loops. Each is the faster form of a function of
`lisa_allennlp.nn` or of a layer, which hands tensors over in one line; without this folder the
networks compute the same, more slowly.
"""
