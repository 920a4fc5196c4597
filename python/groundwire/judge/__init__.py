"""A language model as judge of answers: prompts, client, cache."""
