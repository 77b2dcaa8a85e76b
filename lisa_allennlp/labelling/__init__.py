"""The one way from text to labelled sentences, which commands and predictors stand on."""
