"""What the words of a quote mean, as far as it takes to tell a slip from a lie: tokens, numbers, categories, names."""
