"""One answer, its sources, and the output of a good judge."""

import json

FIELDS = {
    "reasoning": "The expert advice names another year.",
    "issues": [],
    "hallucination_notes": "One year is wrong.",
    "hallucination_risk": 0.7,
    "score": 0.4,
    "confidence": 0.9,
    "decision": "refine_search",
}
QUESTION = "When was the bridge opened?"
ANSWER = "The bridge was opened in 1932 [1]. It is painted grey [2]."
RESULTS = [
    {"id": "1", "parent_id": "p", "title": "Bridges", "content": "The bridge was opened in 1931 by the mayor.", "x": 1},
    {"id": "2", "text": "It has been painted grey since then."},
]


def written(**changes) -> str:
    """Return the output of a good judge."""
    return json.dumps(FIELDS | changes)
