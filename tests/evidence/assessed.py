"""Quotes with their expected verdicts: one text, one conversation, several sources."""

from groundwire.evidence import Quote, QuotePolicy, QuoteVerdict, assess_quotes
from groundwire.sources import Sources
from groundwire.transcripts import read_transcript

TEXT = (
    "I sleep badly, and I wake at 3 a.m. every day. The dog is not happy at all. We were in another house in May. "
    "The company shall not pay more than 15 mg unless the court agrees. It’s a well-known <laughs> fact, said "
    "Mr Miller, the gardener of this very old and very quiet village by the sea."
)

CONVERSATION = read_transcript(
    "Ellie: How do you sleep? Do you feel tired?\n"
    "Anna: I sleep badly. I feel tired in the morning.\n"
    "Ellie: I sleep badly too, and I eat well.\n"
    "Anna: I sleep badly these days. They bark.\n"
    "Bob: The dogs bark all night long.\n"
    "Ellie: Really?\n"
    "Anna: They bark a lot.\n"
)

SOURCES = Sources(
    [
        ("left", "She is unhappy with it now. I sleep badly at night. The bill for the old boat is not paid now."),
        ("right", "He is happy, with it all the time. We left every single night."),
        ("last", "I sleep badly at nights. We left every single night."),
    ]
)

ROWS = {
    # Exact or normalized.
    "exact": ("I sleep badly", "exact", True, []),
    "exact-before-normalized": ("the gardener", "exact", True, []),
    "case": ("i SLEEP badly", "normalized", True, ["case"]),
    "white-space": ("I sleep \n badly", "normalized", True, ["whitespace"]),
    "A3-typography": ("It's a well\u2010known", "normalized", True, ["typography"]),
    "A2-marks": ("well-known fact", "normalized", True, ["marks"]),
    "condition-beside": ("15 mg", "exact", True, ["truncated_condition"]),
    "negation-beside": ("happy at all", "exact", True, ["truncated_condition"]),
    # Near.
    "spelling": ("I slep badly, and I wake at 3 a.m.", "near", True, ["spelling"]),
    "punctuation": ("I sleep badly and I wake at 3 a.m.", "near", True, ["punctuation"]),
    "A17-filler": ("We were in another, uh, house in May", "near", True, ["filler"]),
    "A17-word-added": ("the gardener of this very old and of very quiet village", "near", True, ["word_added"]),
    "A17-word-dropped": ("the gardener this very old and very quiet village", "near", True, ["word_dropped"]),
    "A17-word-replaced": (
        "the gardener of that very old and very quiet village by the sea",
        "near",
        True,
        ["word_replaced"],
    ),
    "A17-function-word-moved": (
        "gardener this of very old and very quiet village by the sea",
        "near",
        True,
        ["word_added", "word_dropped"],
    ),
    "A18-time": ("and I wake at 03:00 every day. The dog", "near", True, ["spelling"]),
    # A9: differences in meaning.
    "A9-number": ("pay more than 50 mg unless the court agrees", "altered", False, ["number", "truncated_condition"]),
    "A9-time": ("I sleep badly, and I wake at 5 a.m. every day", "altered", False, ["time"]),
    "A9-unit": ("pay more than 15 kg unless the court agrees", "altered", False, ["unit", "truncated_condition"]),
    "A9-date": ("We were in another house in June", "altered", False, ["date"]),
    "A9-negation": ("The dog is happy at all. We were in another house", "altered", False, ["negation"]),
    "A9-name": ("well-known fact, said Mr Keller, the gardener", "altered", False, ["name", "spelling"]),
    "A9-modal": ("The company may not pay more than 15 mg", "altered", False, ["modal", "truncated_condition"]),
    "A9-quantifier": ("The company shall not pay less than 15 mg unless", "altered", False, ["quantifier"]),
    "A9-condition": ("not pay more than 15 mg if the court agrees", "altered", False, ["condition"]),
    # A17: content words.
    "A17-content-word-added": ("We were in another old house in May", "altered", False, ["wording"]),
    "A17-content-word-dropped": ("the gardener of this very old and quiet village", "altered", False, ["wording"]),
    "A17-content-word-replaced": (
        "the gardener of this very old and very silent village by the sea",
        "altered",
        False,
        ["wording"],
    ),
    # A10: words, not parts of words.
    "A10-part-of-a-word": ("no", "absent", False, ["cut_word"]),
    "A10-most-of-a-word": ("anothe", "absent", False, ["cut_word"]),
    "A10-a-word-with-its-ending-cut": ("We were in anothe", "near", True, ["spelling"]),
    # Absent.
    "below-threshold": ("nothing of the sort was ever said", "absent", False, ["below_threshold"]),
    "A8-longer-than-the-source": (TEXT + " And more.", "absent", False, ["longer_than_source"]),
    "A6-empty": ("", "blank", False, ["no_words"]),
    "A6-blank": (" \u00a0\u200b\n", "blank", False, ["no_words"]),
    "A6-a-mark": ("<laughs>", "blank", False, ["no_words"]),
    "A6-punctuation-that-stands-there": (".", "blank", False, ["no_words"]),
    "A6-ellipses": ("… … …", "blank", False, ["no_words"]),
    # Elided.
    "ellipsis": ("I sleep badly … every day", "elided", True, ["ellipsis"]),
    "ellipsis-hides": ("The dog is … happy at all", "altered", False, ["hidden_meaning", "ellipsis"]),
    "brackets": ("We were in [that] house", "elided", True, ["editorial_brackets"]),
    "too-many-ellipses": ("I … " * 40, "absent", False, ["too_many_ellipses"]),
}

POLICY_ROWS = {
    "A10-min-chars": ("May", QuotePolicy(min_chars=4), "exact", False, ["too_short"]),
    "A10-min-words": ("I sleep badly", QuotePolicy(min_words=4), "exact", False, ["too_short"]),
}

CONVERSATION_ROWS = {
    "across-turns": ("tired? I sleep badly", None, "normalized", True, ["whitespace", "across_turns"]),
    "wrong-speaker": ("I eat well", ["Anna"], "wrong_speaker", False, ["wrong_speaker"]),
}

SEVERAL_ROWS = {
    "elsewhere": ("We left every single night", "left", "found_elsewhere", False, ["not_in_cited_source"]),
}

# Quotes that name their origin, and the sources in which they are searched.
NAMED_ROWS = {
    "A20-right-speaker": (Quote("I eat well", speaker="ellie:"), CONVERSATION, "exact", True, []),
    "A20-wrong-speaker": (Quote("I eat well", speaker="Anna"), CONVERSATION, "wrong_speaker", False, ["wrong_speaker"]),
    "A20-unknown-speaker": (
        Quote("I eat well", speaker="George"),
        CONVERSATION,
        "wrong_speaker",
        False,
        ["wrong_speaker", "unknown_speaker"],
    ),
    "A20-no-turns": (Quote("I sleep badly", speaker="Anna"), TEXT, "exact", False, ["speaker_not_checked"]),
    "A20-nobody-says-it": (
        Quote("nothing of the sort", speaker="George"),
        CONVERSATION,
        "absent",
        False,
        ["below_threshold"],
    ),
    "A20-change-of-speaker": (
        Quote("tired? I sleep badly", speaker="Anna"),
        CONVERSATION,
        "wrong_speaker",
        False,
        ["wrong_speaker", "whitespace", "across_turns"],
    ),
    "denied-by-what-is-in-front": (
        Quote("the fence was mended"),
        "There is no way that the fence was mended by us.",
        "exact",
        False,
        ["reversed_context"],
    ),
    "right-source": (Quote("We left every single night", source="last"), SOURCES, "exact", True, []),
    "wrong-source": (
        Quote("We left every single night", source="left"),
        SOURCES,
        "found_elsewhere",
        False,
        ["not_in_cited_source"],
    ),
    "unknown-source": (Quote("I sleep badly", source="third"), SOURCES, "absent", False, ["unknown_source"]),
    "source-of-a-text-without-a-name": (Quote("I sleep badly", source="a"), TEXT, "absent", False, ["unknown_source"]),
    "page": (Quote("I sleep badly", page=3), TEXT, "exact", False, ["page_not_checked"]),
    "page-of-what-is-absent": (
        Quote("nothing of the sort", page=3),
        TEXT,
        "absent",
        False,
        ["below_threshold", "page_not_checked"],
    ),
}


def verdict_on(quote: str | Quote, **options: object) -> QuoteVerdict:
    """Return the verdict on one quote in TEXT, or in another *source*; policy options are given by name."""
    source = options.pop("source", TEXT)
    cited = options.pop("cited", None)
    return assess_quotes([quote], source, policy=QuotePolicy(**options), cited=cited)[0]


def reasons_of(verdict: QuoteVerdict) -> list[str]:
    """Return the codes as plain strings."""
    return [reason.value for reason in verdict.reasons]
