"""The network for training and the one in the package have the same scores."""

import numpy
import torch

from experiments.english.splitter import Network
from lisa_allennlp.data.tokenizers import sentence_splitter


def test_scores() -> None:
    torch.manual_seed(0)
    sizes = (20, 10, 3)
    network = Network(sizes).eval()
    exported = network.to_json()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_((100 * parameter).round() / 100)
    read = sentence_splitter.Network.from_json({"words": [], "shapes": [], **exported})
    for length in (1, 2, 30):
        rows = numpy.random.default_rng(length).integers(0, sizes, (length, 3)).T
        with torch.no_grad():
            # Beyond the ends of a text is what training has between documents.
            gap = torch.tensor([[0], [0], [-1]]).expand(3, 9)
            expected = network(torch.cat([gap, torch.tensor(rows), gap], dim=1))[9:-9]
        numpy.testing.assert_allclose(read.scores(*rows.tolist()), expected, atol=1e-5)
