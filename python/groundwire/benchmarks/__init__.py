"""
What `groundwire bench` measures.

The table is in `cases`; `tasks` and `search_tasks` do what it says, on texts that
`texts` makes up; `runner` checks the answers and times by turns.
"""
