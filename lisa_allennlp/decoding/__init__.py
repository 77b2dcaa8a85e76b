"""
From the network's scores to labelled sentences, in NumPy. Both engines, `lisa_allennlp.inference`
and the PyTorch models, decode here, so a model in training and its export give the same labels.

- `decoder`: the steps in their order, from the scores of a batch to labelled sentences.
- `frames`: the tokens and frames of a batch, and the steps of roles and senses.
- `trees`: heads and arc labels. `linear_chain`: Viterbi's algorithm and the probabilities of spans.
- `role_constraints`, `well_formed`: the role labels that a frame may have.
- `contexts`: fitted weights for close choices between rolesets and between roles.
- `adaptation`: corrected sentences teach rolesets and roles, by `log_linear` models of `features`.
- `label_names`: between indices and labels, and between words and rolesets.
- `options`, `confidence`: what a call asks for; a model's temperatures and thresholds.
- `engine`: what labelling asks of a network, and what the network has to score.
"""
