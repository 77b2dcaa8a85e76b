// english/student.jsonnet over the first three layers of its encoder.
(import 'student.jsonnet') + {
  model+: {
    text_field_embedder+: {
      token_embedders+: { encoder+: { transformer_kwargs: { num_hidden_layers: 3 } } },
    },
  },
}
