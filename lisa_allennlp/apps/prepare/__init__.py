"""Building corpora for the dataset readers from official releases."""
