"""Hedges of claims: the examples of the document, rows of our own, and the same rules by `re` as an oracle."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire.ingestion.hedges import HedgeAction, HedgeCategory, HedgeCue, HedgeDetector, HedgeResult
from groundwire.ingestion.hedges.detector import normalize_for_lexicon, quoted_and_code_spans
from groundwire.ingestion.hedges.lexicon import LANGUAGES, load_lexicon
from oracles.hedges import HedgesByRe, fold_naive

HERE = Path(__file__).parent


DETECTOR = HedgeDetector()


def lines(name: str) -> list[str]:
    """Return the lines of a file beside this one."""
    return (HERE / name).read_text(encoding="utf-8").split("\n")[:-1]


HEDGED = [line.split("\t") for line in lines("hedged_claims.tsv")]


NO_HEDGES = [line.replace("\\n", "\n") for line in lines("no_hedges.txt")]


@pytest.mark.parametrize(
    ("claim", "result"),
    [
        ("I think we should use Redis", HedgeResult(True, HedgeAction.BLOCK, ["I think"])),
        ("The API may return errors under load", HedgeResult(True, HedgeAction.REVIEW, ["may"])),
        ("Per ADR-003, we use PostgreSQL", HedgeResult(False, HedgeAction.CONTINUE)),
        ("I guess the API supports this", HedgeResult(True, HedgeAction.BLOCK, ["I guess"])),
        ("Maybe we could try GraphQL", HedgeResult(True, HedgeAction.BLOCK, ["Maybe we could"])),
        ("I think we should use Redis, definitely", HedgeResult(True, HedgeAction.BLOCK, ["I think"])),
        ("The server may timeout under load", HedgeResult(True, HedgeAction.REVIEW, ["may"])),
        ("Connections typically complete in <100ms", HedgeResult(True, HedgeAction.REVIEW, ["typically"])),
        ("Per ADR-003, we use Pixeltable for memory storage", HedgeResult(False, HedgeAction.CONTINUE)),
        ("Fixed in commit a1b2c3d4e5f6", HedgeResult(False, HedgeAction.CONTINUE)),
        ("See https://docs.example.com/api", HedgeResult(False, HedgeAction.CONTINUE)),
        ("I prefer tabs over spaces", HedgeResult(False, HedgeAction.CONTINUE)),
        ("The API returns JSON for REST responses", HedgeResult(False, HedgeAction.CONTINUE)),
        ("OAuth2 is the authentication mechanism", HedgeResult(False, HedgeAction.CONTINUE)),
        ("The service uses PostgreSQL 15", HedgeResult(False, HedgeAction.CONTINUE)),
        ("OAuth2 is required", HedgeResult(False, HedgeAction.CONTINUE)),
        ("We decided to use PostgreSQL", HedgeResult(False, HedgeAction.CONTINUE)),
        ("Per ADR-999, we use magic", HedgeResult(False, HedgeAction.CONTINUE)),
        ("The API uses OAuth2.", HedgeResult(False, HedgeAction.CONTINUE)),
        ("Since we use OAuth2, we need refresh tokens", HedgeResult(False, HedgeAction.CONTINUE)),
    ],
)
def test_the_examples_of_the_document(claim, result):
    """Every example sentence of the specification has its specified result."""
    assert DETECTOR.analyze(claim) == result


@pytest.mark.parametrize(
    ("words", "category", "action"),
    [
        *((words, "personal_speculation", "block") for words in ("I think", "I guess", "I believe", "I assume")),
        *((words, "admitted_uncertainty", "block") for words in ("I don't know", "not sure", "I could be wrong")),
        *(
            (words, "suggestion", "block")
            for words in ("maybe we should", "perhaps we could", "maybe", "maybe they can")
        ),
        *((words, "technical_hedge", "review") for words in ("may", "might", "could", "typically", "often", "usually")),
        *((words, "technical_hedge", "review") for words in ("perhaps", "likely", "seems", "appears to", "suggests")),
        *(
            (f"{modal} {verb}", "technical_hedge", "review")
            for modal in ("would", "should")
            for verb in ("seem", "appear", "suggest", "probably")
        ),
        *((words, "approximation", "review") for words in ("approximately", "around 5", "roughly")),
    ],
)
def test_the_table_of_categories(words, category, action):
    """The specified table and ruling C6: each example has its category and its action, inside a sentence."""
    claim = f"The port, {words} that, is 80"
    result = DETECTOR.analyze(claim)
    assert (result.action, [cue.category for cue in result.cues]) == (HedgeAction(action), [HedgeCategory(category)])


@pytest.mark.parametrize(("action", "words", "claim"), HEDGED, ids=[row[2] for row in HEDGED])
def test_hedged_claims(action, words, claim):
    """Rulings C6 and C7: hedges of seven languages are found with their words."""
    result = DETECTOR.analyze(claim)
    assert (result.action.value, result.hedge_words) == (action, words.split("|"))


@pytest.mark.parametrize("claim", NO_HEDGES)
def test_phrases_that_are_no_hedges(claim):
    """Rulings C6 and C7: months, contracted negations, numbers, wishes, idioms, quotations and code."""
    assert DETECTOR.analyze(claim) == HedgeResult(False, HedgeAction.CONTINUE)


def test_at_most_one_plain_claim_in_twenty_is_sent_on():
    """At most 5 % of 300 technical and personal claims without hedges go to review."""
    claims = lines("plain_claims.txt")
    assert len(claims) == len(set(claims)) >= 300
    sent_on = [claim for claim in claims if DETECTOR.analyze(claim).is_speculative]
    assert len(sent_on) * 20 <= len(claims), sent_on


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        pytest.param("I  think it is", "I  think", id="two-blanks"),
        pytest.param("I\n think it is", "I\n think", id="line-end"),
        pytest.param("I\u00a0think it is", "I\u00a0think", id="no-break-space"),
        pytest.param("I *think* it is", "I *think", id="emphasis"),
        pytest.param("**I think** it is", "I think", id="bold"),
        pytest.param("_I think_ it is", "I think", id="underscores"),
        pytest.param("I th\u200bink it is", "I th\u200bink", id="zero-width"),
        pytest.param("I th\u00adink it is", "I th\u00adink", id="soft-hyphen"),
        pytest.param("\u202eI think it is", "I think", id="bidirectional"),
        pytest.param(
            "\uff29 \uff54\uff48\uff49\uff4e\uff4b it is", "\uff29 \uff54\uff48\uff49\uff4e\uff4b", id="full-width"
        ),
        pytest.param(
            "\U0001d408 \U0001d42d\U0001d421\U0001d422\U0001d427\U0001d424 it is",
            "\U0001d408 \U0001d42d\U0001d421\U0001d422\U0001d427\U0001d424",
            id="mathematical",
        ),
        pytest.param("I don\u2019t know it", "I don\u2019t know", id="curly-apostrophe"),
        *(
            pytest.param(f"I don{mark}t know it", f"I don{mark}t know", id=f"apostrophe-{ord(mark):x}")
            for mark in "\u2018\u201b\u02bc\u2032\u00b4"
        ),
        pytest.param("I THINK IT IS", "I THINK", id="capitals"),
        pytest.param("Le port est peut-e\u0302tre clos", "peut-e\u0302tre", id="accent-of-its-own"),
        pytest.param("\u0130t is, I think", "I think", id="capital-of-two-characters"),
        pytest.param("definitely, without any doubt, I think it is", "I think", id="asserted"),
    ],
)
def test_typography_hides_no_hedge(claim, words):
    """Bypass prevention: cues are found in any typography, with spans in the claim."""
    result = DETECTOR.analyze(claim)
    assert result.hedge_words == [words]
    assert [claim[cue.start : cue.end] for cue in result.cues] == [words]


@pytest.mark.parametrize("marks", ['""', "“”", "«»", "„“", "「」", "''", "‘’", "``"])
def test_marks_around_the_whole_claim_hide_nothing(marks):
    """Bypass prevention: a claim that is only a quotation or code is still read."""
    assert DETECTOR.analyze(f"{marks[0]}I think it is{marks[1]}").action is HedgeAction.BLOCK
    assert DETECTOR.analyze(f"He wrote {marks[0]}I think it is{marks[1]}.").action is HedgeAction.CONTINUE


def test_block_beats_review():
    """The strictest hedge decides; all are listed, left to right, with spans and categories."""
    claim = "It may, I think, be roughly done"
    assert DETECTOR.analyze(claim).cues == (
        HedgeCue("may", 3, 6, HedgeCategory.TECHNICAL_HEDGE, "en"),
        HedgeCue("I think", 8, 15, HedgeCategory.PERSONAL_SPECULATION, "en"),
        HedgeCue("roughly", 20, 27, HedgeCategory.APPROXIMATION, "en"),
    )
    assert DETECTOR.analyze(claim).action is HedgeAction.BLOCK


def test_no_cue_for_review_hides_one_that_blocks():
    """Bypass prevention: a blocking cue counts even inside a longer cue for review."""
    result = DETECTOR.analyze("It looks like we don't know the port")
    assert (result.action, result.hedge_words) == (HedgeAction.BLOCK, ["It looks like", "we don't know"])
    result = DETECTOR.analyze("That looks as if memory serves us twice")
    assert (result.action, result.hedge_words) == (HedgeAction.BLOCK, ["looks as if", "if memory serves"])


def test_lexicons_can_be_chosen():
    """A detector uses only the given languages; the default uses all."""
    assert HedgeDetector(["de"]).analyze("I think it is").action is HedgeAction.CONTINUE
    assert HedgeDetector(["en", "zh"]).analyze("我觉得很慢").action is HedgeAction.BLOCK
    assert HedgeDetector(["en"]).analyze("我觉得很慢").action is HedgeAction.CONTINUE
    assert HedgeDetector(iter(["en"])).analyze("I think it is").action is HedgeAction.BLOCK


def test_the_scientific_lexicon_is_used_on_request():
    """Ruling C6: `whether`, `putative` and the like are hedges only on request."""
    claim = "The putative receptor was tested; the data indicate that it binds."
    assert DETECTOR.analyze(claim).action is HedgeAction.CONTINUE
    assert HedgeDetector(scientific=True).analyze(claim).hedge_words == ["putative", "indicate"]


@pytest.mark.parametrize(
    ("lexicons", "error", "message"),
    [
        pytest.param(["en", "xx"], ValueError, "en, zh, de, fr, es, ja, ru", id="unknown"),
        pytest.param([], ValueError, "en, zh", id="none"),
        pytest.param(iter([]), ValueError, "en, zh", id="an-iterator-of-none"),
        pytest.param("en", TypeError, "got a str", id="one-string"),
    ],
)
def test_lexicons_are_checked(lexicons, error, message):
    """An unknown language is refused when the detector is created."""
    with pytest.raises(error, match=message):
        HedgeDetector(lexicons)


def test_a_claim_is_a_str():
    """Another type is refused, and not taken for a claim without hedges."""
    with pytest.raises(TypeError, match="text must be a str, got bytes"):
        DETECTOR.analyze(b"I think")


@pytest.mark.parametrize("claim", ["", " ", "\0", "\ud800", "\u202e\u200b", "💥" * 3])
def test_odd_claims_have_no_hedge(claim):
    """Empty, blank, broken and invisible claims raise no error."""
    assert DETECTOR.analyze(claim) == HedgeResult(False, HedgeAction.CONTINUE)


@pytest.mark.parametrize(
    ("piece", "action"),
    [
        pytest.param("may ", HedgeAction.REVIEW, id="cues"),
        pytest.param("In May ", HedgeAction.CONTINUE, id="exceptions"),
        pytest.param("I think ", HedgeAction.BLOCK, id="blocked"),
        pytest.param("i we ", HedgeAction.CONTINUE, id="beginnings-of-phrases"),
        pytest.param("\u201c", HedgeAction.CONTINUE, id="marks-that-nothing-closes"),
        pytest.param('"a ', HedgeAction.CONTINUE, id="straight-marks"),
        pytest.param("`` ` ``` ", HedgeAction.CONTINUE, id="ticks"),
        pytest.param("> may\n", HedgeAction.REVIEW, id="nothing-but-quoted-lines"),
        pytest.param("*_ \u200b", HedgeAction.CONTINUE, id="what-is-folded-away"),
        pytest.param("e\u0301", HedgeAction.CONTINUE, id="accents"),
        pytest.param("~1.1", HedgeAction.REVIEW, id="numbers"),
    ],
)
def test_long_claims_of_any_kind_are_read(piece, action):
    """A tenth of a megabyte of the worst text for each step is read in linear time."""
    assert DETECTOR.analyze(piece * (100_000 // len(piece))).action is action


NAMES = (*LANGUAGES, "scientific")


SCIENTIFIC = HedgeDetector(scientific=True)


ORACLE = HedgesByRe(NAMES)


phrases = st.sampled_from(sorted({entry.words for name in NAMES for entry in load_lexicon(name)}))


blanks = [" ", " ", " ", "  ", "\n", "\u200b", "\u0301"]


marks = [", ", ". ", "。", "*", "_", "~", "'", '"', "“", "”", "`", "「", "」", "\n> "]


words = [
    "in ",
    "since ",
    "the ",
    "I ",
    "we ",
    " God",
    " not",
    "n't",
    " be detected",
    "x",
    "可",
    "約",
    "е",
    "ß",
    "İ",
    "ﬁ",
]


numbers = ["５", " 5", " 2024", " May", " kDa"]


beside = st.sampled_from([*blanks, *marks, *words, *numbers])


claims = st.lists(phrases | beside | st.text("aIü1 .,可は\ud800", max_size=3), max_size=8).map("".join)


spaced_claims = st.lists(phrases | beside, max_size=8).map(" ".join)


def found(claim: str) -> list[tuple[int, int, str, str]]:
    """Return the cues of a claim in the oracle's form."""
    return [(cue.start, cue.end, cue.category.value, cue.action.value) for cue in SCIENTIFIC.analyze(claim).cues]


@pytest.mark.parametrize("claim", [*(row[2] for row in HEDGED), *NO_HEDGES, *lines("plain_claims.txt")])
def test_the_rules_are_those_of_re(claim):
    """All rows of the other tests are compared, and phrases of research prose."""
    assert found(claim) == ORACLE.analyze(claim)


@settings(max_examples=examples(400))
@given(claims | spaced_claims)
def test_any_mixture_is_read_as_by_re(claim):
    """Phrases of all languages are mixed with the words that their rules inspect, in any order."""
    assert found(claim) == ORACLE.analyze(claim)


@settings(max_examples=examples(400))
@given(claims)
def test_folding_is_the_naive_one(claim):
    """Each character has the same position, apart from blanks, at which no cue begins or ends."""
    folded = normalize_for_lexicon(claim)
    plain, places = fold_naive(claim)
    assert folded.plain == plain
    letters = [at for at, character in enumerate(plain) if character != " "]
    assert [folded.origin(at, at + 1) for at in letters] == [places[at] for at in letters]
    assert len(folded.lowered) == len(folded.plain)


@given(claims)
def test_spans_of_quoted_text_do_not_overlap(claim):
    """They are in order, not empty, do not overlap, and none exists if no word is left."""
    spans = quoted_and_code_spans(claim)
    assert all(start < end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    outside = [
        claim[end:start] for (_, end), (start, _) in zip([(0, 0), *spans], [*spans, (len(claim), 0)], strict=True)
    ]
    assert not spans or re.search(r"\w", "".join(outside))
