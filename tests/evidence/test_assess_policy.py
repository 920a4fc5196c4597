"""The quotes that a policy accepts, and the errors of invalid policies."""

import pytest

from groundwire.evidence import Quote, QuotePolicy, QuoteStatus, assess_quotes
from groundwire.evidence.verdicts import quote_features

from .assessed import CONVERSATION, ROWS, SOURCES, TEXT, reasons_of, verdict_on

ACCEPTABLE = {"exact", "normalized", "near", "elided", "paraphrased", "found_elsewhere"}


@pytest.mark.parametrize("status", sorted(ACCEPTABLE - {"paraphrased", "found_elsewhere"}))
def test_only_the_statuses_of_the_policy_are_accepted(status):
    """The status itself stays the same."""
    quotes = [row[0] for row in ROWS.values()]
    default = assess_quotes(quotes, TEXT)
    verdicts = assess_quotes(quotes, TEXT, policy=QuotePolicy(accept=[status]))
    assert [each.status for each in verdicts] == [each.status for each in default]
    assert [each.accepted for each in verdicts] == [each.status == status for each in default]


@pytest.mark.parametrize(("quote", "status"), [("I", QuoteStatus.EXACT), ("体", QuoteStatus.ABSENT)])
def test_without_a_policy_one_character_suffices_and_variants_differ(quote, status):
    """A quote of one letter is a word; 體 is the traditional form of 体."""
    assert assess_quotes([quote], "I say 體.")[0].status is status


def test_found_elsewhere_is_accepted_by_an_explicit_policy_only():
    """A quote that the cited source lacks is a wrong citation, unless the policy allows it."""
    quote = "We left every single night"
    assert not verdict_on(quote, source=SOURCES, cited="left").accepted
    assert verdict_on(quote, source=SOURCES, cited="left", accept=ACCEPTABLE).accepted


@pytest.mark.parametrize(
    ("quote", "options", "is_accepted"),
    [
        pytest.param("In May", {"min_chars": 6}, True, id="as-many-characters"),
        pytest.param("in  May", {"min_chars": 7}, False, id="A10-normalised-ones-count"),
        pytest.param("in another house", {"min_words": 3}, True, id="as-many-words"),
        pytest.param("in — house", {"min_words": 3}, False, id="A10-a-dash-is-no-word"),
    ],
)
def test_short_quotes(quote, options, is_accepted):
    """Ruling A10: the caller sets the minimum length."""
    verdict = verdict_on(quote, source="In May we lived in another house. He lived in — house.", **options)
    assert verdict.accepted is is_accepted
    assert ("too_short" in reasons_of(verdict)) is not is_accepted


@pytest.mark.parametrize(("min_words", "is_accepted"), [(4, True), (5, False)])
def test_characters_are_words_in_scripts_without_spaces(min_words, is_accepted):
    """Ruling A10: Chinese has no spaces between words."""
    assert verdict_on("他去哪里", source="我不知道他去哪里了", min_words=min_words).accepted is is_accepted


def test_a_quote_beside_a_condition_is_flagged_either_way():
    """The verdict has the words, and the policy decides whether the quote passes."""
    verdict = verdict_on("The company shall not pay more than 15 mg")
    strict = verdict_on("The company shall not pay more than 15 mg", accept_truncated=False)
    assert (verdict.accepted, verdict.truncated, strict.accepted, strict.truncated) == (True, "unless", False, "unless")


def test_a_quote_across_turns_is_flagged_either_way():
    """Words of two speakers in one quote."""
    verdict = verdict_on("tired? I sleep badly", source=CONVERSATION)
    strict = verdict_on("tired? I sleep badly", source=CONVERSATION, accept_across_turns=False)
    assert (verdict.accepted, strict.accepted) == (True, False)
    assert "across_turns" in reasons_of(verdict)
    assert "across_turns" in reasons_of(strict)


def test_the_threshold_decides_what_is_near():
    """A quote with typos that passes at 0.85 is absent at 0.99."""
    quote = "the gardnner of this very old and verry quiet village"
    assert verdict_on(quote, threshold=0.85).status is QuoteStatus.NEAR
    assert reasons_of(verdict_on(quote, threshold=0.99)) == ["below_threshold"]


WRONG = {
    "threshold-type": ({"threshold": "0.9"}, TypeError, "threshold must be a number, got str"),
    "threshold-range": ({"threshold": 85}, ValueError, "threshold must be from 0 to 1, got 85.0"),
    "threshold-nan": ({"threshold": float("nan")}, ValueError, "threshold must be from 0 to 1"),
    "min-chars": ({"min_chars": 0}, ValueError, "min_chars must be at least 1, got 0"),
    "min-words": ({"min_words": 1.5}, TypeError, "min_words must be an int, got float"),
    "min-words-0": ({"min_words": 0}, ValueError, "min_words must be at least 1, got 0"),
    "min-words-bool": ({"min_words": True}, TypeError, "min_words must be an int, got bool"),
    "gap": ({"max_gap_chars": -1}, ValueError, "max_gap_chars must be at least 0, got -1"),
    "one-speaker": ({"speakers": "Anna"}, TypeError, "speakers must be a collection of str, got str"),
    "speaker-type": ({"speakers": ["Anna", 1]}, TypeError, "speakers must be a collection of str, has int"),
    "no-collection": ({"speakers": 5}, TypeError, "speakers must be a collection of str, got int"),
    "one-status": ({"accept": "exact"}, TypeError, "accept must be a collection of str, got str"),
    "status-type": ({"accept": [1]}, TypeError, "accept must be a collection of str, has int"),
    "never-accepted": (
        {"accept": ["exact", "altered"]},
        ValueError,
        'accept must not contain "altered"; allowed: elided, ex',
    ),
    "no-status": ({"accept": ["exakt"]}, ValueError, 'accept must not contain "exakt"'),
    "truncated": ({"accept_truncated": 1}, TypeError, "accept_truncated must be a bool, got int"),
    "turns": ({"accept_across_turns": None}, TypeError, "accept_across_turns must be a bool, got NoneType"),
}


@pytest.mark.parametrize(("options", "error", "message"), WRONG.values(), ids=WRONG.keys())
def test_an_invalid_value_is_refused(options, error, message):
    """The message has the option, the allowed values and the given one."""
    with pytest.raises(error) as caught:
        QuotePolicy(**options)
    assert message in str(caught.value)


@pytest.mark.parametrize("status", sorted(set(QuoteStatus) - ACCEPTABLE))
def test_no_policy_accepts_altered_or_absent_quotes(status):
    """Ruling A9: `altered` and absent quotes are never accepted."""
    with pytest.raises(ValueError, match="accept must not contain"):
        QuotePolicy(accept=[status])


def test_a_policy_copies_its_collections():
    """Collections are copied, so that a later change or an exhausted generator does not change decisions."""
    statuses = ["exact", QuoteStatus.NEAR]
    policy = QuotePolicy(accept=(status for status in statuses), speakers=(name for name in ["Anna"]))
    assert (policy.accept, policy.speakers) == ({QuoteStatus.EXACT, QuoteStatus.NEAR}, {"Anna"})
    assert hash(policy) == hash(QuotePolicy(accept=statuses, speakers=["Anna"]))


WRONG_CALLS = {
    "quotes": (("text", "text"), {}, TypeError, "quotes must be a sequence of str or Quote, got str"),
    "quote": ((["a", None], "text"), {}, TypeError, "quotes[1] must be a str or a Quote, got NoneType"),
    "source": (
        (["a"], b"text"),
        {},
        TypeError,
        "source must be a str, a Source, a Transcript, a Document or a Sources, got bytes",
    ),
    "policy": (
        (["a"], "text"),
        {"policy": {"threshold": 1}},
        TypeError,
        "policy must be a QuotePolicy or None, got dict",
    ),
    "cited": ((["a"], "text"), {"cited": 0}, TypeError, "cited needs several sources"),
    "no-name": ((["a"], SOURCES), {"cited": "nobody"}, KeyError, 'no source is called "nobody"'),
    "no-place": ((["a"], SOURCES), {"cited": 3}, IndexError, "there are 3 sources, so the index 3 is out of range"),
    "negative-place": (
        (["a"], SOURCES),
        {"cited": -1},
        IndexError,
        "there are 3 sources, so the index -1 is out of range",
    ),
    "speakers-of-a-text": (
        (["a"], "x"),
        {"policy": QuotePolicy(speakers=["A"])},
        ValueError,
        "policy.speakers needs tran",
    ),
    "speakers-of-sources": (
        (["a"], SOURCES),
        {"policy": QuotePolicy(speakers=["A"])},
        ValueError,
        "policy.speakers needs",
    ),
    "no-sources": ((["a"], type(SOURCES)([])), {}, ValueError, "sources must have at least one source"),
}


@pytest.mark.parametrize(("arguments", "options", "error", "message"), WRONG_CALLS.values(), ids=WRONG_CALLS.keys())
def test_a_wrong_argument_is_refused_in_words(arguments, options, error, message):
    """The message has the argument, the expected and the given type."""
    with pytest.raises(error) as caught:
        assess_quotes(*arguments, **options)
    assert message in str(caught.value)


def test_no_quotes_have_no_verdicts():
    """An empty sequence is no error."""
    assert assess_quotes([], TEXT) == assess_quotes((), SOURCES) == []


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({"speaker": 3}, TypeError, "speaker must be a str or None, got int"),
        ({"speaker": " "}, ValueError, "speaker must not be blank"),
        ({"source": ["a"]}, TypeError, "source must be a str or None, got list"),
        ({"source": ""}, ValueError, "source must not be blank"),
        ({"page": True}, TypeError, "page must be an int or None, got bool"),
        ({"page": 0}, ValueError, "page must be at least 1, got 0"),
    ],
)
def test_the_fields_of_a_quote_are_checked(fields, error, message):
    """A blank name or a page 0 would match no source and pass as an absent quote."""
    with pytest.raises(error, match=f"^{message}$"):
        Quote("I sleep badly.", **fields)


@pytest.mark.parametrize("value", ["Ada", 1])
def test_the_fields_of_a_quote_have_names(value):
    """A second positional argument could be a speaker or a source."""
    with pytest.raises(TypeError, match="positional"):
        Quote("I sleep badly.", value)


def test_a_verdict_does_not_depend_on_the_search_for_the_nearest_passage():
    """Two verdicts on a quote are equal, before and after a search, and show no search."""
    first, second = (assess_quotes(["I never said a word of this"], TEXT)[0] for _ in range(2))
    assert first.nearest == second.nearest
    assert first == second
    assert "search" not in repr(first)


def test_an_accepted_quote_has_no_nearest_passage():
    """Its passage is `match`; an altered quote has the same passage as both."""
    for quote, status, is_accepted, _ in ROWS.values():
        verdict = assess_quotes([quote], TEXT)[0]
        if is_accepted:
            assert verdict.nearest is None
        elif status == "altered":
            assert (verdict.nearest.start, verdict.nearest.end) == (verdict.match.start, verdict.match.end)


@pytest.mark.parametrize(
    ("quote", "similarity", "is_flagged"),
    [("I sleep badly", 1.0, 0.0), ("15 mg", 1.0, 1.0), ("I never said a word of this", 0.0, 0.0)],
)
def test_the_features_of_a_quote_have_its_similarity_and_its_flag(quote, similarity, is_flagged):
    """A quote without a passage has no similarity, and a restriction beside the passage is a flag."""
    features = quote_features(assess_quotes([quote], TEXT)[0])
    assert (features[0], features[-1]) == (similarity, is_flagged)
