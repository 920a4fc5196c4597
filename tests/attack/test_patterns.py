"""
Texts that make a backtracking matcher slow: each pattern with the repetitions of its own structure.

The proof in tests/test_patterns.py covers the patterns; here the patterns and the public functions run on such texts.
"""

import re
import re._constants as codes  # type: ignore[import-not-found] # private, untyped
import re._parser as parser  # type: ignore[import-not-found] # private, untyped
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from effort import effort
from groundwire import Source, delimited, file_kinds, model_output, read_transcript, urls
from groundwire.citations import assess_citations
from groundwire.citations.literal import detect_hallucination
from groundwire.cli.claims import claims_of_note
from groundwire.cli.quotes import sniff
from groundwire.errors import GroundwireError
from groundwire.evidence import assess_quotes
from groundwire.evidence.differences import normalization_reasons
from groundwire.evidence.elision import fragments_of
from groundwire.evidence.quotations import quotes_in
from groundwire.faithfulness import FaithfulnessValidator
from groundwire.faithfulness.statements import sentences_of, statements_of
from groundwire.ingestion import CitationDetector
from groundwire.ingestion.hedges import HedgeDetector
from groundwire.ingestion.statements import CitingClaim, split_statements
from groundwire.ingestion.verification.adr import is_active_decision
from groundwire.ingestion.verification.protocol import VerificationLookupError
from groundwire.ingestion.verification.url_policy import parse_url
from groundwire.ingestion.verification.web import text_of_page
from groundwire.judge.delimiting import to_data
from groundwire.language import reader
from groundwire.language.questions import is_affirmation, is_single_question, question_spans
from groundwire.memory.identity import source_identity
from groundwire.settings import EvidenceSettings
from groundwire.structured_text import BrokenJsonError, looks_like_yaml, read_json
from groundwire.templating import markup
from growth import SHARE_MAX, growth
from linear_patterns import BOUNDED_MAX
from test_patterns import FEW_CHARS, LINEAR_BY_USE, NOT_FOR_USERS, ONE_PLACE, USES

_CHARS = effort(8_000, 32_000)
_PROBES = "a \t\n1\"'<([{*_-~.,:;\\#`|é你\u00ad\u2028\u0301X)]}>/=@\x00"
_CHARACTERS_TRIED = effort(3, 8)

# A text is made from a prefix that leads to a repetition, the repeated text, and a number.
SHAPES: dict[str, Callable[[str, str, int], str]] = {
    "one row": lambda lead, pump, count: lead + pump * count,
    "one row that fails": lambda lead, pump, count: f"{lead}{pump * count}\x00",
    "in the middle": lambda lead, pump, count: f"x {lead}{pump * count}\x00 x",
    "many beginnings": lambda lead, pump, count: (lead + pump) * (count * len(pump) // len(lead + pump)) + "\x00",
}


def pumps(pattern: str, flags: int) -> list[tuple[str, str]]:
    """
    Return the prefix and the repeated text for each repetition of *pattern*, for some of the characters that it
    matches.
    """
    found: dict[tuple[str, str], None] = {}
    _walk(parser.parse(pattern, flags), "", found)
    return list(found)


def _walk(parsed: Any, lead: str, found: dict[tuple[str, str], None]) -> str:
    """Collect the repetitions of *parsed*; return *lead* with the shortest text that matches it."""
    for code, value in parsed:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            low, high, body = value
            if high > BOUNDED_MAX:
                found.update(dict.fromkeys((lead, pump) for pump in _bodies(body)))
            _walk(body, lead, found)
            lead += _bodies(body)[0] * min(low, 4)
        elif code is codes.SUBPATTERN:
            lead = _walk(value[3], lead, found)
        elif code is codes.ATOMIC_GROUP:
            lead = _walk(value, lead, found)
        elif code is codes.BRANCH:
            lead, *_ = [_walk(branch, lead, found) for branch in value[1]]
        elif code is codes.ASSERT and value[0] > 0:
            _walk(value[1], lead, found)
        elif code not in (codes.ASSERT, codes.ASSERT_NOT, codes.AT, codes.GROUPREF):
            lead += _characters([(code, value)])[0]
    return lead


def _bodies(body: Any) -> list[str]:
    """Return some texts that *body* matches, the shortest first."""
    items = list(body)
    if len(items) == 1 and items[0][0] in (codes.IN, codes.LITERAL, codes.NOT_LITERAL, codes.ANY):
        return _characters(items)
    if len(items) == 1 and items[0][0] is codes.BRANCH:
        return [text for branch in items[0][1][1] for text in _bodies(branch)][: 2 * _CHARACTERS_TRIED] or ["a"]
    if len(items) == 1 and items[0][0] is codes.SUBPATTERN:
        return _bodies(items[0][1][3])
    return [_walk(body, "", {}) or "a"]


def _characters(items: list[tuple[Any, Any]]) -> list[str]:
    """Return some characters of a class."""
    code, value = items[0]
    if code is codes.LITERAL:
        return [chr(value)]
    state = parser.State()
    state.str = ""
    compiled = re._compiler.compile(parser.SubPattern(state, items))  # type: ignore[attr-defined] # noqa: SLF001 # Python's own
    taken = [each for each in _PROBES if compiled.match(each)]
    if not taken and code is codes.IN:
        first = next(each for each in value if each[0] is not codes.NEGATE)[1]
        taken = [chr(first if isinstance(first, int) else first[0])]
    # More than the first character: classes differ in their later ones.
    return (taken[:1] + taken[1 :: max(len(taken) // _CHARACTERS_TRIED, 1)])[:_CHARACTERS_TRIED] or ["a"]


def _runs(pattern: re.Pattern[Any], mode: str, text: str) -> Callable[[], object]:
    subject: Any = text.encode() if isinstance(pattern.pattern, bytes) else text
    if mode == "search":
        return lambda: sum(1 for _ in pattern.finditer(subject))
    return partial(getattr(pattern, mode), subject)


def _tried() -> Iterator[tuple[str, re.Pattern[Any], str]]:
    skipped = {**FEW_CHARS, **LINEAR_BY_USE, **NOT_FOR_USERS}
    for use in USES:
        if use.name not in skipped:
            for mode in sorted({"match"} if use.name in ONE_PLACE else use.modes):
                yield use.name, re.compile(use.pattern, use.flags), mode


def test_patterns_do_not_backtrack(attack):
    """Each repetition of each pattern takes linear time on texts that fail to match only at their end."""
    for name, pattern, mode in _tried():
        text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
        for number, (lead, pump) in enumerate(pumps(text, pattern.flags & ~re.UNICODE)):
            for shape, make in SHAPES.items():
                with attack.attempt(f"{name}, {mode}, repetition {number}, {shape}"):
                    work = lambda size, p=pattern, m=mode, s=make, a=lead, b=pump: _runs(  # noqa: E731 - binds the variables of the loops
                        p, m, s(a, b, size // len(b))
                    )
                    assert growth(work, _CHARS // 4) <= SHARE_MAX


TEXTS: dict[str, Callable[[int], str]] = {
    **{
        f"a row of {pump!a}": lambda size, pump=pump: pump * (size // len(pump))
        for pump in (
            *("~", " ", "a", "(", "1,", "- ", "\r", "\n", "://", '"', "'", "é", "[", "{", "<", "```\n", "***", "__"),
            *("\\", '\\"', "{{", "[]", "()", ". ", ", ", "; ", ": ", "# ", "> ", "| ", "|-", "\t", "\u3000", "\u00ad"),
            *("http://", "ADR-", "#1 ", "GH-", "abcdef1", "[1]", "[a", "<a ", "</", "<!--", "&#", "~~", "a\u0301"),
            *("a\u0301\u0316", "may ", "I think ", "x~", "not ", "1.", "1 ", "$1", "%", "-->", "00:", "00:00 ", "A: "),
            *(
                "a: ",
                "你",
                "。",
                "” ",
                "“",
                "«",
                "‘",
                "status: ",
                "no ",
                "a-\n",
                "\n\n",
                "\n ",
                " \n",
                "\x00",
                "\u2028",
            ),
            *("a@", "a.b", "a/", "--", "…", "...", "?!", "1:1", "1/1/", "e1", "1e1", "and ", ",and ", "\ufeff", "😀"),
        )
    },
    "blanks that end badly": lambda size: " " * size + "x",
    "a heading with blanks": lambda size: "# 1" + " " * size + "x",
    "a word and tildes": lambda size: "x " + "~" * size + "x",
    "status and blanks": lambda size: "status" + " " * size + "x",
    "brackets in brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "braces in braces": lambda size: '{"a":' * (size // 6) + "}" * (size // 6),
    "a string without an end": lambda size: '{"a": "' + '\\"' * (size // 2),
    "a tag without an end": lambda size: "<v" + " " * size,
    "a fence without an end": lambda size: "~" * size,
    "a quoted key many times": lambda size: "{" + '"quote":"' * (size // 9) + "}x",
    "blanks before a comma": lambda size: "a" + " " * size + ",b",
    "tabs in a table": lambda size: "a\tb\n" + "\t" * size,
    "marks of two classes": lambda size: "a" + "\u0301\u0316" * (size // 2),
    "marks in the wrong order": lambda size: "a" + "\u0301" * (size // 2) + "\u0316" * (size // 2) + "b",
    "a line of quotes": lambda size: "a," + '"' * size + "x",
    "quotes in a table": lambda size: "a,b\n" + '"' * size + "x",
}


_HEDGES = HedgeDetector(scientific=True)
_CITATIONS = CitationDetector()
_CONTENTS = [{"id": "1", "content": "The service keeps sessions in Redis."}]


def _quotes(text: str) -> object:
    return assess_quotes([text[:400], f"{text[:200]} x"], Source(text))


def _validate(text: str) -> object:
    return FaithfulnessValidator(embedder=None).validate(
        persona={"about": text, "job": "nurse"}, source_data=f"{text}\nI work as a nurse."
    )


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "hedges": _HEDGES.analyze,
    "citations of a claim": _CITATIONS.detect,
    "assess_citations": lambda text: assess_citations(text, _CONTENTS),
    "detect_hallucination": lambda text: detect_hallucination(text, _CONTENTS),
    "decision record": is_active_decision,
    "statements of cited texts": split_statements,
    "citing claim": lambda text: CitingClaim(text, [(0, 1)]).text,
    "location": lambda text: parse_url(f"https://{text}"),
    "page": lambda text: text_of_page(text.encode("utf-8", "surrogatepass")),
    "identity of a source": source_identity,
    "transcript": read_transcript,
    "transcript, WebVTT": lambda text: read_transcript(f"WEBVTT\n\n00:00.000 --> 00:01.000\n{text}", format="webvtt"),
    "transcript, SRT": lambda text: read_transcript(f"1\n00:00:00,000 --> 00:00:01,000\n{text}", format="srt"),
    "quotes file": sniff,
    "note": lambda text: list(claims_of_note(text)),
    "columns": lambda text: delimited.first_line_columns(text),
    "records": lambda text: list(delimited.records(delimited.lines_of([text], "t"), "t", ",")),
    "file kinds": lambda text: (file_kinds.markup_kind(text), file_kinds.json_kind(text), file_kinds.is_json(text)),
    "model output": model_output.extract_json_object,
    "urls": lambda text: [urls.canonical_url(text[start:end]) for start, end in urls.find_urls(text)],
    "json": read_json,
    "yaml or not": looks_like_yaml,
    "questions": lambda text: (question_spans(text), is_affirmation(text), is_single_question(text)),
    "statements": lambda text: (statements_of(text), sentences_of(text)),
    "quotations in prose": quotes_in,
    "foldings": lambda text: normalization_reasons(text, f"{text}."),
    "fragments": fragments_of,
    "conditions": lambda text: reader().surroundings(text, len(text) // 2, len(text) // 2 + 1),
    "hidden meaning": lambda text: reader().omitted_restrictions(text, len(text) // 4, len(text) // 2),
    "data for a judge": to_data,
    "markup": markup,
    "settings": lambda text: EvidenceSettings(evidence_quote_fuzzy_threshold=text),
}
SLOW_FUNCTIONS: dict[str, Callable[[str], object]] = {"assess_quotes": _quotes, "validator": _validate}


def _quietly(function: Callable[[str], object], text: str) -> Callable[[], object]:
    """Call *function*, which may refuse *text*."""

    def call() -> object:
        try:
            return function(text)
        except (GroundwireError, ValueError, TypeError, BrokenJsonError, VerificationLookupError, RecursionError):
            return None

    return call


@pytest.mark.parametrize("name", [*FUNCTIONS, *SLOW_FUNCTIONS])
def test_functions_take_linear_time(name, attack):
    """These are the texts that a scanner for backtracking tries."""
    is_slow = name in SLOW_FUNCTIONS
    function = SLOW_FUNCTIONS[name] if is_slow else FUNCTIONS[name]
    for kind, make in TEXTS.items():
        with attack.attempt(f"{name}: {kind}"):
            share = growth(
                lambda size, make=make: _quietly(function, make(size)), effort(500, 4_000) if is_slow else _CHARS // 4
            )
            assert share <= SHARE_MAX, f"{share:.1f} times as long for 8 times the text"
