// LISA with GloVe vectors as in the code that trained the published models (github.com/strubell/LISA-v1), where it
// goes beyond the paper or differs from it. What is not said here is in lisa_glove.jsonnet; docs/differences.md
// lists what still differs, and the values of the later rewrite (github.com/strubell/LISA).
(import 'lisa_glove.jsonnet') + {
  model+: {
    encoder+: {
      // The residual connections carry the normalised states.
      layer_style: 'authors',
      // Tagger and syntactic head read the states between layers as they are.
      intermediate_norms: false,
      layer_norm_eps: 1e-6,
      // Maps to 800, 800 and 200 dimensions.
      feedforward_num_layers: 3,
      // word_keep_prob 1, and prepost_dropout 0.8 of the output of each sub-layer. Elsewhere 0.9 is kept, as
      // in lib/lisa.libsonnet.
      input_dropout: 0.0,
      residual_dropout: 0.2,
      variational_dropout: true,
    },
    variational_dropout: true,
    // GloVe vectors / np.std(GloVe vectors).
    initializer: { regexes: [['token_embedder_tokens.weight', { type: 'unit_variance' }]] },
    joint_tag_dim: 200,
    joint_argmax: true,
    average_role_loss: true,
    // P(label | previous label), added to the scores as it is.
    role_decoder: { type: 'viterbi', transitions: 'probability' },
    force_verb: false,
    // Theirs smooths only the roles.
    label_smoothing: 0.1,
    // ensure_tree.
    parse_decoder: 'mst',
  },
  trainer+: {
    // gamma 0: Adam's update, with the steps of each word. The norm of the update is clipped.
    optimizer+: { adam_by_row: true, update_norm: 1.0 },
    grad_norm: false,
  },
}
