// The setting with gold predicates (LISA section 4.1, Table 2): a sentence is encoded once per gold
// predicate, which an embedding marks in the input. The paper does not give its size; He et al. (2017)
// and Tan et al. (2018), with whom it compares, have 100.
{
  dataset_reader+: { one_predicate_per_instance: true },
  model+: { predicate_indicator_embedding: { embedding_dim: 100 } },
}
