"""
Labels corpora of any size: `lisa annotate` cuts the inputs into shards, labels them in processes or
on a Ray cluster, and continues where an interrupted run stopped.
"""
