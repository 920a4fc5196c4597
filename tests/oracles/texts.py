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


# Whatever composes, decomposes, expands, widens or disappears.
NASTY = (
    *AWKWARD,
    "a\u0323\u0307", "a\u0307\u0323", "\u0344", "\u3099", "\u304b\u3099", "\u0345", "\u034f",  # marks, sorted and not
    "\u1100\u1161", "\u1161", "\u11a8", "\uac00\u11a8", "\u3131", "\uffa1",  # jamo
    "\ufdfa", "\u3300", "\u33ff", "\u2057", "\u1e9b\u0323", "\ufb03", "\u00b5", "\u2460",  # expansions
    "\ufacf", "\U0002f800", "\uf900", "\ufa1f",  # compatibility ideographs, the first leaves the basic plane
    "\u0130\u0307", "i\u0307", "A\u03a3", "A\u03a3b", "\u03a3'", "\u00b7\u03a3", "\u0295\u03a3",  # İ and final Σ
    "\t ", " \x1d", "\x1e", "\x0b", "\x0c", "\r\n", "\u2003", "\u2029", "\u205f",  # white space
    "</b>", "<<a>", "<a>>", "\uff1ca\uff1e", "\ufe64b\ufe65", "<\u0338", ">\u0338", "<\u200b>", "{a}", "(a)",  # tags
    "-", "-\n", "-\nb", "\u2010\n", "\u00ad\n", "\u2014",  # hyphens
    "\U00010400", "\U0001d165\U0001d16e", "\U000e0001", "\U0010ffff",  # astral
)  # fmt: skip

nasty_texts = st.lists(
    st.one_of(
        _plain,
        st.sampled_from(NASTY),
        st.sampled_from(NASTY),
        st.characters(categories=["Mn", "Mc", "Me"]),
        st.characters(min_codepoint=0x1100, max_codepoint=0x11FF),
        st.characters(min_codepoint=0xF900, max_codepoint=0xFFEF),
        st.characters(),
    ),
    max_size=60,
).map("".join)


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
