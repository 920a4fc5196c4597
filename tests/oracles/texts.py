"""Hypothesis strategies for texts that break normalisers, and for quotes from them."""

from hypothesis import strategies as st

# Each stands for a step of the normalisation, or for a way to trip it.
AWKWARD = (
    "\x00", "\x1c", "\x1f", "\x85", "\u00a0", "\u1680", "\u2028", "\u3000",  # white space that is not all the same
    "\u2018", "\u2019", "\u201c", "\u201d", "\u201e", "\u2032",  # quotation marks, folded and not
    "\u200b", "\u200c", "\u200d", "\ufeff", "\u2060", "\u00ad",  # invisible, dropped and kept
    "<", ">", "<laughter>", "<>", "< b >", "\uff1c", "\uff1e", "<\n>",  # tags
    "\uff21", "\uff41", "\ufb01", "\u2026", "\u00bd", "\u2126", "e\u0301", "\u0130", "\u03a3", "\u00df",  # NFKC, lower
    "\u1100\u1161\u11a8", "\u0915\u093c", "\u0f73",  # composition
    "\ud800", "\udfff", "\U0001f600", "\U0001d400",  # lone surrogates, astral
)  # fmt: skip

# Code points that the interpreter does not know may be known to the engine (ruling A5).
_assigned = st.characters(exclude_categories=["Cn", "Co"])
_plain = st.sampled_from("ab AB'\" .,no15\n\t")

texts = st.lists(st.one_of(_plain, _plain, st.sampled_from(AWKWARD), _assigned), max_size=40).map("".join)


@st.composite
def quotes_of(draw: st.DrawFn, text: str) -> str:
    """Draw any text, a slice of *text*, or a slice with one place changed."""
    kind = draw(st.sampled_from(["any", "slice", "edited"]))
    if kind == "any" or not text:
        return draw(texts)
    start = draw(st.integers(0, len(text)))
    quote = text[start : draw(st.integers(start, len(text)))]
    if kind == "slice":
        return quote
    place = draw(st.integers(0, len(quote)))
    return quote[:place] + draw(st.sampled_from(["", "x", " ", "<a>", "\u200b"])) + quote[place + 1 :]


@st.composite
def extractions(draw: st.DrawFn) -> tuple[dict[str, list[str]], str]:
    """Draw evidence and the transcript that some of its quotes come from."""
    transcript = draw(texts)
    domains = st.sampled_from(["PHQ8_Sleep", "PHQ8_Tired", "mood.low"])
    evidence = draw(st.dictionaries(domains, st.lists(quotes_of(transcript), max_size=4), max_size=3))
    return evidence, transcript
