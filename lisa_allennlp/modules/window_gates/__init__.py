"""Networks that gate the words of a context window."""

from lisa_allennlp.modules.window_gates.averaging import AveragingGate
from lisa_allennlp.modules.window_gates.convolution import ConvolutionGate
from lisa_allennlp.modules.window_gates.mlp import MlpGate
from lisa_allennlp.modules.window_gates.one_layer import OneLayerGate
from lisa_allennlp.modules.window_gates.open import OpenGate
from lisa_allennlp.modules.window_gates.window_gate import WindowGate

__all__ = [
    "AveragingGate",
    "ConvolutionGate",
    "MlpGate",
    "OneLayerGate",
    "OpenGate",
    "WindowGate",
]
