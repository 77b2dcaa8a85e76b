"""Labels with the network of the shipped models in NumPy, without PyTorch and AllenNLP."""
