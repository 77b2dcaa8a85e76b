// The setting with gold predicates (LISA section 4.1, Table 2): a sentence is encoded once for each
// of its gold predicates, which an embedding on the input marks. The paper does not say how large
// it is; 100 is what He et al. 2017 and Tan et al. 2018, whom it compares itself to, have.
{
  dataset_reader+: { one_predicate_per_instance: true },
  model+: { predicate_indicator_embedding: { embedding_dim: 100 } },
}
