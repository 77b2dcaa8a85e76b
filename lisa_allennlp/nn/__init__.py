"""
Initializers, and the functions that the networks are built from, each written as its equation.

On a CPU some of these functions call a faster form in `lisa_allennlp.nn.cpu`, in the line that
calls `is_on_cpu`. Both forms give the same results.
"""
