"""AllenNLP's predictors of the three models, and the engines that run them for the labellers."""
