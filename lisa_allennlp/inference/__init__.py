"""Runs the graphs of LISA and SA in ONNX Runtime, without PyTorch and AllenNLP."""
