import torch

from lisa_allennlp.modules.heads.joint_tagger import JointTagger


def test_marginals_sum_over_the_other_task():
    # NN, VB, VB:predicate, JJ
    tagger = JointTagger(2, pos_indices=[0, 1, 1, 2], is_predicate=[False, False, True, False])
    probabilities = torch.tensor([[[0.4, 0.25, 0.3, 0.05], [0.1, 0.1, 0.2, 0.6]]])
    pos, predicate = tagger.marginalise(probabilities.log())
    # NN is the best joint label, but the two VB labels together are more probable.
    assert pos.tolist() == [[1, 2]]
    torch.testing.assert_close(predicate, torch.tensor([[0.3, 0.2]]))
    torch.testing.assert_close(
        tagger.pos_probabilities(probabilities.log()), torch.tensor([[0.55, 0.6]])
    )
