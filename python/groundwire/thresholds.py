"""
Defines the default thresholds and limits that several packages share, each with its unit, range and source.

A threshold of a single package is in the table of its rule. `groundwire.settings` takes its defaults from here. This
module imports nothing, so that every package can import it.
"""

FUZZY_THRESHOLD = 0.85
"""The minimum partial_ratio / 100, 0.0 to 1.0, of a grounded quote. Source: evidence-grounding, ruling A11."""

DUPLICATE_THRESHOLD = 0.92
"""The minimum similarity, 0.0 to 1.0, of two memories that are duplicates. Source: grounded-ingestion, ruling C1."""

MODERATE_RISK_ABOVE = 0.3
"""The score, 0.0 to 1.0, above which an answer is a moderate risk. Source: citation-risk, "風險判定"."""

HIGH_RISK_ABOVE = 0.6
"""The score, 0.0 to 1.0, above which an answer is a high risk. Source: citation-risk, "風險判定"."""

MIN_JUDGE_CONFIDENCE = 0.5
"""The minimum confidence, 0.0 to 1.0, of a judge whose low risk counts (ruling B11)."""

JUDGE_TIMEOUT_S = 60.0
"""Seconds, above 0, for one judgement including retries."""

JUDGE_CONCURRENCY = 4
"""The maximum number of concurrent judgements, 1 to 256."""

EMBEDDER_TIMEOUT_S = 30.0
"""Seconds, above 0, for one call of a server's embedder including retries."""

MAX_RETRIES = 3
"""The number of retries, 0 to 20, after 429, 5xx or a broken connection to a model's server."""

MIN_QUOTATION_WORDS = 3
"""The minimum number of words of a quotation in an answer that is checked. Shorter ones are mostly scare quotes."""
