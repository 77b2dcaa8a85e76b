"""What happens in a sentence, from its labels."""
