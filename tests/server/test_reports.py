"""Check, cite and validate return the reports of the library, by the published schemas."""

import json
from pathlib import Path

import jsonschema
import pytest

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")

from groundwire.report import QuoteEntry, TranscriptFile, build_guarded_report, render_json
from groundwire.transcripts import read_transcript
from server.service import DIGEST, INTERVIEW, SLEEP, SOFA, client, keep, quotes_of

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schema"
PERSONAS = [{"name": "Marlene", "sleep": "I sleep on the sofa", "age": 47}]
REQUESTS = {
    "check": {"quotes": [SLEEP, "Nobody said this."], "sources": [{"text": INTERVIEW}]},
    "cite": {
        "answer": "She sleeps on the sofa after lunch [1]. She never took the tablets [4].",
        "results": [{"id": "1", "text": "I sleep on the sofa, mostly after lunch."}],
    },
    "validate": {"personas": PERSONAS, "sources": [{"text": INTERVIEW}]},
}


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_report_has_the_published_schema(kind):
    """Answers are valid by the files of docs/schema."""
    answer = client().post(f"/v1/{kind}", json=REQUESTS[kind])
    assert answer.status_code == 200, answer.text
    schema = json.loads((SCHEMAS / f"{kind}-report.v1.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(answer.json(), schema)


def test_check_returns_the_report_of_the_library():
    """The same function makes it, for a kept source and for a text in the request."""
    service = client()
    keep(service)
    entries = [QuoteEntry(SLEEP), QuoteEntry(SOFA, "home", "q2", source="interview", speaker="Marlene")]
    reading = read_transcript(INTERVIEW, format="text")
    expected = build_guarded_report([TranscriptFile("interview", reading.text, DIGEST, reading=reading)], entries)
    named = {"text": SOFA, "domain": "home", "id": "q2", "source": "interview", "speaker": "Marlene"}
    for source in ({"sha256": DIGEST}, {"text": INTERVIEW}):
        asked = {"quotes": [SLEEP, named], "sources": [{"name": "interview", **source}]}
        assert service.post("/v1/check", json=asked).json() == json.loads(render_json(expected))


@pytest.mark.parametrize(
    ("quote", "more", "status", "accepted"),
    [
        pytest.param(SLEEP, {}, "normalized", True, id="typography"),
        pytest.param("I can sleep at night.", {}, "altered", False, id="a-negation-is-missing"),
        pytest.param({"text": SOFA, "speaker": "Interviewer"}, {}, "wrong_speaker", False, id="wrong-speaker"),
        pytest.param(SOFA, {"speakers": ["Interviewer"]}, "wrong_speaker", False, id="speakers-of-all"),
        pytest.param(SOFA, {"min_words": 6}, "exact", False, id="too-short"),
        pytest.param(
            "How do you sleep? I can't sleep", {"single_speaker": True}, "normalized", False, id="two-speakers"
        ),
        pytest.param({"text": SOFA, "source": "other"}, {}, "absent", False, id="unknown-name-of-a-source"),
        pytest.param({"text": SOFA, "page": 3}, {}, "exact", False, id="a-page-that-cannot-be-checked"),
    ],
)
def test_the_rules_of_check_apply(quote, more, status, accepted):
    """Rulings A8 to A10, A20: an altered quote and one that cannot be checked are not accepted."""
    service = client()
    [found] = service.post("/v1/check", json=quotes_of(keep(service), quote, **more)).json()["quotes"]
    assert found["accepted"] is accepted
    assert found["status"] == status


@pytest.mark.parametrize(("fold_variants", "status"), [(True, "normalized"), (False, "absent")])
def test_variants_of_characters_are_folded_on_request(fold_variants, status):
    """A simplified quote is in a traditional source only with the fold, which the settings name."""
    asked = {"quotes": ["他们说要发展"], "sources": [{"text": "他們說要發展經濟。"}], "fold_variants": fold_variants}
    report = client().post("/v1/check", json=asked).json()
    assert (report["quotes"][0]["status"], report["settings"]["fold_variants"]) == (status, fold_variants)


def test_offsets_are_code_points_of_the_text_without_its_byte_order_mark():
    """Ruling A2: a span cuts the quote's words out of the text as sent."""
    service = client()
    text = f"🔥 é {INTERVIEW}"
    digest = keep(service, f"\ufeff{text}")
    [quote] = service.post("/v1/check", json=quotes_of(digest, SOFA)).json()["quotes"]
    place = quote["places"][0]
    assert text[place["start"] : place["end"]] == place["passage"] == SOFA


def test_an_answer_may_cite_kept_sources():
    """A kept source is a result with the id that the request gives it."""
    service = client()
    asked = {
        "answer": "She sleeps on the sofa, mostly after lunch [notes].",
        "sources": [{"id": "notes", "sha256": keep(service)}],
    }
    [answer] = service.post("/v1/cite", json=asked).json()["answers"]
    assert (answer["level"], answer["valid_citations"]) == ("low", ["notes"])


def test_a_cited_result_without_a_text_is_not_accepted():
    """Ruling B15: what is unread supports nothing."""
    asked = {"answer": "She sleeps on the sofa, mostly after lunch [1].", "results": [{"id": "1"}]}
    [answer] = client().post("/v1/cite", json=asked).json()["answers"]
    assert (answer["accepted"], answer["claims"][0]["status"]) == (False, "unread")


def test_a_persona_below_the_minimum_fails():
    """`min_score` decides about a persona; the claims have their verdicts."""
    asked = {"personas": PERSONAS, "sources": [{"text": INTERVIEW}], "min_score": 1.0}
    report = client().post("/v1/validate", json=asked).json()
    assert report["summary"]["failed"] == 1
    verdicts = {claim["path"]: claim["verdict"] for claim in report["personas"][0]["claim_details"]}
    assert verdicts["sleep"] == "supported"
    assert verdicts["age"] != "supported"
