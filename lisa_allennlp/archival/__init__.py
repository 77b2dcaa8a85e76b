"""Opens and exports models with PyTorch and AllenNLP, and what their configs name."""
