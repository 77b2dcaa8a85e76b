"""What training needs beside the models: metrics and optimizers."""
