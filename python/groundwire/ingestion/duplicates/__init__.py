"""
Finds memories that a claim repeats or contradicts.

`checker` has `DedupChecker` and the printed similarity, `conflicts` compares a claim with one memory, `index` finds
similar texts, and `store_index` keeps such an index of a `MemoryStore` up to date.
"""
