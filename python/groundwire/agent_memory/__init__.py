"""
Puts the checks of `groundwire.ingestion` in front of the memories of agent frameworks.

`langgraph` wraps a store of LangGraph, and `mem0` a memory of mem0. `gate` decides for both: an approved text is
written, one that needs review goes to the queue, and any other is refused with an error.
"""
