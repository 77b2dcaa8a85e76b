"""Role decoders: they turn the label scores of each frame's tokens into labels."""

from lisa_allennlp.modules.role_decoders.crf import CrfRoleDecoder
from lisa_allennlp.modules.role_decoders.role_decoder import GreedyRoleDecoder, RoleDecoder
from lisa_allennlp.modules.role_decoders.viterbi import ViterbiRoleDecoder

__all__ = ["CrfRoleDecoder", "GreedyRoleDecoder", "RoleDecoder", "ViterbiRoleDecoder"]
