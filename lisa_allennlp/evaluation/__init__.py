"""What AllenNLP's evaluators need beside models."""
