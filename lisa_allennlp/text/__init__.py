"""Words before they are labelled: the tokenizer, the sentence splitter, word pieces, rolesets."""
