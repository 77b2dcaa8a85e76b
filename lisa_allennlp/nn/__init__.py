"""
Initializers, and the functions that the networks are built from, each written as its equation.

On a CPU, some of them hand over to a faster form in `lisa_allennlp.nn.cpu`, in the one line that
calls `is_on_cpu`. Both forms give the same answers.
"""
