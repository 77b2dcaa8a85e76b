"""
From the network's scores to labelled sentences, in NumPy. Both engines, `lisa_allennlp.inference`
and the PyTorch models, decode here, so a model in training and its export give the same labels.

- `decoder`: lists the stages, and returns the labelled sentences of a batch.
- `tokens`, `frames`: what goes from stage to stage, and the stages of roles and senses.
- `trees`: heads and arc labels. `linear_chain`: Viterbi's algorithm and the probabilities of spans.
- `role_constraints`, `well_formed`: the role labels that a frame may have.
- `contexts`: stages in which log-linear models (`log_linear`) of `features` help the network to
  choose; `lexicon` has their weights, and `fitting` finds them.
- `label_names`: between indices and labels, and between words and rolesets.
- `options`, `confidence`: what a call asks for; a model's temperatures and thresholds.
"""
