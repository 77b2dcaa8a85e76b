"""Ways to write predictions, registered as AllenNLP's `Serializer`."""
