"""
The modules that need the packages of requirements/serve.txt. The folder's name keeps AllenNLP from
importing them with all the others where these packages are missing.
"""
