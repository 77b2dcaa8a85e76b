"""
From the network's scores to labelled sentences, in NumPy. Both engines, `lisa_allennlp.inference`
and the PyTorch models, decode here, so a model in training and its export give the same labels.

- `encoded_batch`: the scores that decoding asks of an engine.
- `decoder`: tags, predicates, trees, roles and senses of a batch.
- `trees`: heads and arc labels. `linear_chain`: Viterbi's algorithm and the probabilities of spans.
- `role_constraints`: BIO, and the predicate's own label.
- `label_names`, `sense_names`: between indices and labels.
- `confidence`: temperatures and thresholds.
"""
