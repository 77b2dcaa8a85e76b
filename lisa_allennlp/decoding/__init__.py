"""
From the network's scores to labelled sentences, in NumPy. Both engines, `lisa_allennlp.inference`
and the PyTorch models, decode here, so a model in training and its export give the same labels.

- `decoder`: tags, predicates, trees, roles and senses of a batch, from the scores of an engine.
- `trees`: heads and arc labels. `linear_chain`: Viterbi's algorithm and the probabilities of spans.
- `role_constraints`: BIO, and the predicate's own label.
- `label_names`: between indices and labels, and between words and rolesets.
- `confidence`: temperatures and thresholds.
"""
