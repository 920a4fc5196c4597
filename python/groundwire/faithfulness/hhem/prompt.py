"""
What the model is asked, to the letter as it was trained.

Source: the model card of HHEM-2.1-Open.
"""

__all__ = ["PUBLISHED", "SAMPLES", "prompt_of"]

PUBLISHED = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {text1}\n\nHypothesis: {text2}"
"""The prompt as the model's configuration has it. The decision is read at the first token, which is padding."""

SAMPLES = (
    ("Ann: I have worked here for five years.", "Person has worked here for five years."),
    ("Ann: I have worked here for five years.", "Person has worked here for nine years."),
    ("I'd rather call; I hate e-mail.\n\nBob nods (twice).", "The user prefers e-mail."),
    ("The shop opens at 9:30 and closes at 18:00, except on Sundays.", "The shop is open at noon on Mondays."),
    ("age: 34; occupation: marketing manager", "Person is 34 years old"),
    ("age: 34; occupation: marketing manager", "Person is 43 years old"),
)
"""Pairs of context and claim that a conversion is tried with."""


def prompt_of(context: str, claim: str) -> str:
    """Return the prompt."""
    return PUBLISHED.format(text1=context, text2=claim)
