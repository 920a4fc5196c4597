"""Properties of the verdict on any quote in any text."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Source, normalize
from groundwire.evidence import QuotePolicy, QuoteReason, QuoteStatus, assess_quotes
from groundwire.evidence.differences import MEANING, DifferenceKind
from groundwire.sources import Sources

# No typo turns one of these words into another, and none has a special meaning.
WORDS = (
    *("garden", "window", "letter", "morning", "river", "kitchen", "village", "summer", "carpet", "basket", "market"),
    *("winter", "forest", "harbour", "dinner", "bottle", "captain", "feather", "blanket", "orchard", "pebble"),
    *("lantern", "meadow", "cottage", "kettle", "button", "saddle", "hammer", "barrel", "ribbon"),
)
HOSTILE = st.text(st.sampled_from("no Ta1.…[]<>()-\u00ad\u200b’'\n\0\ud800ß不是。「ф"), max_size=40) | st.text(
    max_size=30
)
POLICIES = st.builds(
    QuotePolicy,
    threshold=st.sampled_from([0.5, 0.85, 1.0]),
    accept=st.sets(st.sampled_from(["exact", "normalized", "near", "elided", "found_elsewhere"])),
    min_chars=st.integers(1, 5),
    min_words=st.integers(1, 3),
    max_gap_chars=st.sampled_from([0, 5, 500]),
    accept_truncated=st.booleans(),
    accept_across_turns=st.booleans(),
    fold_variants=st.booleans(),
)


@st.composite
def planted(draw):
    """Return a text of random words, the span of some of them, and a generator of random numbers."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    words = [
        f"{chance.choice(WORDS)}{place}s"[: -1 if place % 2 else None] for place in range(draw(st.integers(30, 90)))
    ]
    words = [word.translate(str.maketrans("0123456789", "abcdefghij")) for word in words]
    first = draw(st.integers(0, len(words) - 12))
    last = first + draw(st.integers(8, 12))
    text, start, end = "", 0, 0
    for place, word in enumerate(words):
        start = len(text) if place == first else start
        text += word
        end = len(text) if place == last - 1 else end
        text += chance.choice([" ", " ", " ", ", ", ". ", "\n", " – "])
    return text, start, end, chance


@given(planted())
def test_a_planted_quote_is_found_to_the_character(case):
    """This holds for any case, white space, dashes, invisible characters and marked ends."""
    text, start, end, chance = case
    quote = "".join(_otherwise(character, chance) for character in text[start:end])
    quote = chance.choice(["{}", "…{}", "{}…", "... {} ...", " {} "]).format(quote)
    verdict = assess_quotes([quote], text)[0]
    assert verdict.status in {QuoteStatus.EXACT, QuoteStatus.NORMALIZED}
    assert verdict.accepted
    assert (verdict.match.start, verdict.match.end, verdict.match.text) == (start, end, text[start:end])


def _otherwise(character: str, chance: random.Random) -> str:
    """Return the character, or another one that the typographic profile reads the same."""
    if chance.random() < 0.7:
        return character
    if character == "–":
        return chance.choice("-—−")
    if character.isspace():
        return chance.choice([" ", "  ", "\n", "\u00a0", "\t "])
    return chance.choice([character.upper(), character + "\u200b", character])


@given(planted())
def test_a_planted_quote_with_slips_is_found_to_the_character(case):
    """
    A letter is dropped, doubled or changed inside one or two words, or punctuation is dropped: near, at the same
    span.
    """
    text, start, end, chance = case
    quote = text[start:end]
    inner = [word.span() for word in re.finditer(r"\w+", quote)][1:-1]
    for first, last in sorted(chance.sample(inner, 2), reverse=True):
        middle = (first + last) // 2
        quote = quote[:middle] + chance.choice(["", "q"]) + quote[middle + 1 :]
    verdict = assess_quotes([quote], text)[0]
    assert verdict.status is QuoteStatus.NEAR
    assert verdict.accepted
    assert {DifferenceKind.SPELLING, DifferenceKind.WORD_REPLACED} & {each.kind for each in verdict.differences}
    assert (verdict.match.start, verdict.match.end) == (start, end)


@given(planted())
def test_planted_parts_are_found_to_the_character(case):
    """Two parts of a passage with an ellipsis between them have the spans that they were cut from."""
    text, start, end, chance = case
    breaks = [start + at for at, character in enumerate(text[start:end]) if character == " "]
    if len(breaks) < 4:
        return
    left, right = breaks[len(breaks) // 2 - 1], breaks[len(breaks) // 2 + 1]
    left_text, right_text = text[start:left].rstrip(" ,.–"), text[right:end].lstrip(" –")
    verdict = assess_quotes([f"{left_text} {chance.choice(['…', '[...]', '. . .'])} {right_text}"], text)[0]
    assert verdict.status is QuoteStatus.ELIDED
    assert verdict.all_spans == ((start, start + len(left_text)), (end - len(right_text), end))
    assert verdict.match.text == text[start:end]


@given(planted(), st.sampled_from(["not ", "never ", "15 ", "only ", "two "]))
def test_a_planted_quote_without_a_decisive_word_is_altered(case, word):
    """Ruling A9: this holds however many words are equal."""
    text, start, end, _ = case
    middle = text.index(" ", (start + end) // 2) + 1
    if middle >= end:
        return
    verdict = assess_quotes([text[start:end]], text[:middle] + word + text[middle:], policy=QuotePolicy(threshold=0.5))[
        0
    ]
    assert verdict.status is QuoteStatus.ALTERED
    assert not verdict.accepted


@given(st.lists(HOSTILE, max_size=4), HOSTILE | planted().map(lambda case: case[0]), POLICIES)
def test_guarantees_of_any_verdict(quotes, text, policy):
    """Accepted quotes have an accepted status and no difference in meaning; spans cut the text; codes are known."""
    quotes = [*quotes, text[3:9], text[2:20] + "…" + text[25:40]]
    verdicts = assess_quotes(quotes, text, policy=policy)
    assert [each.quote for each in verdicts] == quotes
    for verdict in verdicts:
        kinds = {each.kind for each in verdict.differences}
        if verdict.accepted:
            assert verdict.status in policy.accept
            allowed = (
                {DifferenceKind.NAME, DifferenceKind.WORDING}
                if QuoteReason.EDITORIAL_BRACKETS in verdict.reasons
                else set()
            )
            assert kinds & MEANING <= allowed
            assert not verdict.hidden
            assert len(normalize(verdict.quote, profile="typographic")) <= len(
                Source(text, profile="typographic").normalized
            )
        if verdict.status is QuoteStatus.ALTERED:
            assert kinds & MEANING or verdict.hidden
        assert bool(verdict.reasons) or verdict.status is QuoteStatus.EXACT
        assert len(set(verdict.reasons)) == len(verdict.reasons)
        assert (verdict.match is None) == (verdict.status in {QuoteStatus.ABSENT, QuoteStatus.BLANK})
        assert (verdict.match is None) == (verdict.all_spans == ())
        if verdict.match is not None:
            assert text[verdict.match.start : verdict.match.end] == verdict.match.text
            assert all(0 <= start < end <= len(text) for start, end in verdict.all_spans)
            assert [*verdict.all_spans] == sorted(verdict.all_spans)
        for each in verdict.differences:
            assert verdict.quote[slice(*each.quote_span)] == each.quote_text
            assert text[slice(*each.source_span)] == each.source_text


@given(st.lists(HOSTILE, max_size=5), st.lists(HOSTILE, min_size=1, max_size=3), st.integers(1, 4), POLICIES)
def test_a_verdict_depends_on_the_quote_and_the_sources_alone(quotes, texts, workers, policy):
    """It does not depend on other quotes, workers, preparation, or the type of the source."""
    expected = [assess_quotes([quote], texts[0], policy=policy)[0] for quote in quotes]
    assert assess_quotes(quotes, texts[0], policy=policy, workers=workers) == expected
    assert assess_quotes(quotes, Source(texts[0]), policy=policy) == expected
    sources = Sources(texts)
    for cited in (None, len(texts) - 1):
        each_alone = [assess_quotes([quote], Sources(texts), policy=policy, cited=cited)[0] for quote in quotes]
        assert assess_quotes(quotes, sources, policy=policy, cited=cited, workers=workers) == each_alone


@pytest.mark.parametrize("seed", range(3))
def test_a_higher_threshold_accepts_no_more(seed):
    """Quotes that are accepted at 0.99 are also accepted at 0.8."""
    chance = random.Random(seed)
    text = " ".join(chance.choice(WORDS) for _ in range(200))
    quotes = []
    for edits in range(40):
        letters = list(" ".join(text.split()[edits : edits + 12]))
        for place in chance.sample(range(10, 50), edits % 10):
            letters[place] = "q"
        quotes.append("".join(letters))
    accepted = [
        {each.quote for each in assess_quotes(quotes, text, policy=QuotePolicy(threshold=threshold)) if each.accepted}
        for threshold in (0.8, 0.99)
    ]
    assert set(quotes) >= accepted[0] > accepted[1]
