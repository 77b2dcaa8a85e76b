import torch
from allennlp.data import Vocabulary

from lisa_allennlp.modules.token_embedders.affix_characters import AffixCharactersEmbedder


def test_embeddings_stand_side_by_side():
    vocab = Vocabulary()
    for character in "abc":
        vocab.add_token_to_namespace(character, "affix_characters")
    embedder = AffixCharactersEmbedder(vocab, embedding_dim=3, num_characters=2)
    assert embedder.get_output_dim() == 12
    ids = torch.tensor([[[2, 0, 0, 2], [2, 3, 3, 4]]])
    output = embedder(ids)
    assert output.shape == (1, 2, 12)
    table = next(embedder.parameters())
    torch.testing.assert_close(output[0, 1], torch.cat([table[i] for i in (2, 3, 3, 4)]))
