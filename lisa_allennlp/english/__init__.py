"""English grammar on labelled sentences: lemmas, parts of speech, auxiliaries, events."""
