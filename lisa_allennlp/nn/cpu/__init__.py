"""
What exists for a CPU's sake alone: packed tokens, recurrences with their own derivatives, compiled
loops and a padded softmax. Without this folder the networks compute the same, more slowly.
"""
