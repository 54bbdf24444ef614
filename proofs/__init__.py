"""Claims: the statements of the paper and of this companion, each with its evidence."""
