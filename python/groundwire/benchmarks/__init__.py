"""
Measures the engine against its rivals: `groundwire bench`.

`cases` has the table and `reach` the rows on long English texts. Each row (`case`) has a bar (`bars`) and a task:
`tasks`, `search_tasks`, `pattern_tasks`, `score_tasks`, `repetitive_tasks`, `pipeline_tasks` and `verdict_tasks`, on
texts of `corpus` or made up by `texts`, `words` and `quotes`. `runner` checks every answer and takes turns between
the engines (`measure`, `rivals`); `table` prints the outcome.
"""
