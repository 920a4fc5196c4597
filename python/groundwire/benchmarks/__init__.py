"""
Measures the engine against its rivals: `groundwire bench`.

`cases` lists the benchmarks. Their tasks are in `tasks`, `search_tasks` and `score_tasks`, and run on texts and quotes
of `corpus`, with the vocabularies of `words`. `runner` checks every answer, times the engines in turn, and prints the
results.
"""
