"""No text of quotes or transcripts in logs, events, sinks, exceptions or reprs (ruling A15)."""

import itertools
import logging
import traceback

import pytest

from groundwire.evidence import EvidenceSettings, FailureRecorder, ground_extraction, validate_evidence_grounding

pytestmark = pytest.mark.usefixtures("bare_environment")

# Words that occur only in quotes, transcripts and model outputs.
QUOTE = "zyxwhale borogroves\ud800"
TRANSCRIPT = "qorvexin <laughter> slithytove"
MARKERS = ("zyxwhale", "borogroves", "qorvexin", "slithytove", "ZYXWHALE", "QORVEXIN")

OUTPUTS = {
    "all-rejected": {"PHQ8_Sleep": [QUOTE, QUOTE.upper()]},
    "some-rejected": {"PHQ8_Sleep": [QUOTE, TRANSCRIPT]},
    "text-as-domain": {QUOTE: [QUOTE], "zyxwhale borogroves": ["qorvexin"]},
    "text-as-domain-of-no-list": {QUOTE: QUOTE},
    "no-list": {"PHQ8_Sleep": QUOTE},
    "dict-among-quotes": {"PHQ8_Sleep": [{QUOTE: QUOTE}]},
    "bytes-as-domain": {b"zyxwhale": []},
    "prose": QUOTE + TRANSCRIPT,
    "cut-off": '{"PHQ8_Sleep": ["' + QUOTE,
    "not-json": '{"zyxwhale borogroves": [zyxwhale]}',
    "bad-escape": '{"a": ["zyxwhale \\z borogroves"]}',
    "python": "{'PHQ8_Sleep': ['zyxwhale']}",
    "two-objects": '{"a": ["zyxwhale"]} qorvexin {"b": ["borogroves"]}',
    "repeated-domain": '{"zyxwhale borogroves": [], "zyxwhale borogroves": []}',
    "deep": '{"zyxwhale": ' + "[" * 100_000,
    "nan": '{"zyxwhale": [NaN]}',
}


def text_of(error: BaseException | None) -> str:
    """Return everything that an exception and its causes would show."""
    if error is None:
        return ""
    shown = "".join(traceback.format_exception(error, chain=True))
    carried = f"{error}{error!r}{error.args!r}{vars(error)!r}"
    return shown + carried + text_of(error.__cause__) + text_of(error.__context__)


def assert_no_marker(text: str) -> None:
    """Fail without showing the text, which the failure's own output would contain."""
    assert [marker for marker in MARKERS if marker in text] == []


@pytest.mark.parametrize("output", OUTPUTS.values(), ids=OUTPUTS.keys())
@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
@pytest.mark.parametrize("key", [None, "key"], ids=["sha", "hmac"])
@pytest.mark.parametrize("is_strict", [False, True], ids=["lenient", "strict"])
def test_no_text_leaves_ground_extraction(caplog, tmp_path, output, mode, key, is_strict):
    """Ruling A15: records, formatted records, events, the sink, errors and the result's repr hold no text."""
    caplog.set_level(0)
    sink = tmp_path / "failures.jsonl"
    failures = FailureRecorder(sink)
    settings = EvidenceSettings(
        evidence_quote_validation_mode=mode,
        evidence_quote_fuzzy_threshold=1.0,
        evidence_quote_hash_key=key,
        evidence_quote_fail_on_all_rejected=is_strict,
    )
    shown = []
    try:
        result = ground_extraction(output, TRANSCRIPT, settings=settings, participant_id=300, failures=failures)
        shown += [repr(result), str(result)] if all(domain.isidentifier() for domain in output) else []
    except ValueError as error:
        shown.append(text_of(error))
    shown += [repr(vars(record)) + logging.Formatter().format(record) for record in caplog.records]
    shown += [repr(failures.events), sink.read_text() if sink.exists() else ""]
    assert shown
    assert_no_marker("".join(shown))


WRONG_CALLS = {
    "evidence": {"evidence": QUOTE},
    "quotes": {"evidence": {QUOTE: QUOTE}},
    "quote": {"evidence": {"a": [[QUOTE]]}},
    "domain": {"evidence": {(QUOTE,): []}},
    "transcript": {"transcript_text": [TRANSCRIPT]},
    "mode": {"mode": QUOTE},
    "mode-type": {"mode": [QUOTE]},
    "threshold": {"fuzzy_threshold": QUOTE},
    "guard": {"guard": QUOTE},
}


@pytest.mark.parametrize("arguments", WRONG_CALLS.values(), ids=WRONG_CALLS.keys())
def test_no_text_is_in_an_error_about_an_argument(arguments):
    """Ruling A15: the error names a misplaced argument and does not show it."""
    with pytest.raises((TypeError, ValueError)) as caught:
        validate_evidence_grounding(**{"evidence": {"a": [QUOTE]}, "transcript_text": TRANSCRIPT, **arguments})
    assert_no_marker(text_of(caught.value))


def test_the_check_would_see_text():
    """Each marker in an exception's chain is found."""
    for marker, place in itertools.product(MARKERS, ["__cause__", "__context__"]):
        error = ValueError("outer")
        setattr(error, place, KeyError(marker))
        assert marker in text_of(error)
