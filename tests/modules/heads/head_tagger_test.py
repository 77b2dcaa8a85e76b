import torch

from lisa_allennlp.modules.biaffine import LabelBilinear
from lisa_allennlp.modules.heads.head_tagger import HeadTagger
from lisa_allennlp.modules.seq2seq_encoders.syntactically_informed_self_attention import (
    ParseReading,
)
from lisa_allennlp.nn.padded_tokens import lay_out


def test_each_token_is_paired_with_its_head():
    torch.manual_seed(5)
    tagger = HeadTagger(label_dim=4, num_labels=3)
    bilinear = LabelBilinear(4, 4, 3)
    for parameter in tagger.parameters():
        torch.nn.init.normal_(parameter)
    # The same parameters, under the same names.
    bilinear.load_state_dict(tagger.state_dict())
    mask = torch.tensor([[True, True, True], [True, True, False]])
    heads = torch.tensor([[1, 1, 0], [0, 0, 0]])
    layout = lay_out(mask)
    dependents, parents = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
    parse = ParseReading(torch.zeros(2, 3, 3), layout.pack(dependents), parents)
    logits = tagger(parse, heads, layout)
    assert logits.shape == (2, 3, 3)
    for row, position in mask.nonzero().tolist():
        head = parents[row, heads[row, position]]
        expected = bilinear(
            dependents[row, position].view(1, 4), head.view(1, 4), lambda rows: rows.unsqueeze(1)
        )
        torch.testing.assert_close(logits[row, position], expected.view(3))
