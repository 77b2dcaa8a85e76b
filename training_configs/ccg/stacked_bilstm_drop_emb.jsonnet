// Table 2, stacked bi-LSTM (drop emb): dropout on the dimensions of embeddings, not on words.
local ccg = import 'lib/supertagger.libsonnet';

ccg.config(ccg.networks.stacked_bilstm, {
  gate: { type: 'open' },
  gate_dropout: 0.0,
  embedding_dropout: 0.5,
})
