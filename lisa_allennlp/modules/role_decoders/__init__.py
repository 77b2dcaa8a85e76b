"""
From the scores of the labels of each token of each frame to the labels.
"""

from lisa_allennlp.modules.role_decoders.crf import CrfRoleDecoder
from lisa_allennlp.modules.role_decoders.greedy import GreedyRoleDecoder
from lisa_allennlp.modules.role_decoders.role_decoder import RoleDecoder, VerbLabels
from lisa_allennlp.modules.role_decoders.viterbi import ViterbiRoleDecoder

__all__ = ["CrfRoleDecoder", "GreedyRoleDecoder", "RoleDecoder", "VerbLabels", "ViterbiRoleDecoder"]
