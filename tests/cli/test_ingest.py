"""`groundwire ingest`: claims get tiers and reasons, and approved ones are stored."""

import json
import signal
from collections import Counter

import pytest

from cli.terminal import CONTROL_SEQUENCE, run_on_terminal
from groundwire.ingestion import IngestionValidator
from groundwire.memory import MemoryStore

CITED = "Per ADR-3 the mill is closed."
GUESS = "I think the mill is closed."
PLAIN = "The mill is closed."


@pytest.fixture
def adrs(write, tmp_path):
    """Return the options for a folder with one decision record."""
    (tmp_path / "adrs").mkdir()
    write("adrs/0003-mill.md", "# The mill\n\nThe mill is closed.\n")
    return ["--adr-dir", "adrs"]


def tiers(result):
    """Return the tier of each claim."""
    return [claim["tier"] for claim in result.report["claims"]]


def stored(tmp_path, name="memory.db", user="local"):
    """Return the stored memories of a user."""
    with MemoryStore(tmp_path / name) as store:
        return store.find(user, status=None)


def test_sample_shows_the_three_tiers_with_reasons(run, sample):
    """Every claim of the sample has its intended tier, each for another reason."""
    report = run("ingest", *sample, "-f", "json").report
    decided = {claim["id"]: (claim["tier"], claim["code"]) for claim in report["claims"]}
    assert decided == {
        "storage": ("tier_1", "citation_verified"),
        "sign": ("tier_1", "citation_verified"),
        "lock": ("tier_2", "citation_unread"),
        "interval": ("tier_2", "citation_contradicted"),
        "backup": ("tier_2", "citation_irrelevant"),
        "units": ("tier_1", "trusted_source"),
        "keeping": ("tier_1", "decision_in_conversation"),
        "format": ("tier_2", "ungrounded"),
        "storm": ("tier_2", "technical_hedge"),
        "sensor": ("tier_2", "technical_hedge"),
        "radio": ("tier_2", "citation_refuted"),
        "alarm": ("tier_2", "citation_refuted"),
        "polling": ("tier_2", "citation_not_in_force"),
        "tides": ("tier_2", "ungrounded"),
        "keeping-2": ("tier_2", "conflict"),
        "move": ("tier_3", "personal_speculation"),
        "broken": ("tier_3", "personal_speculation"),
        "storage-2": ("tier_3", "duplicate"),
    }
    cited = {cited["name"]: cited["status"] for claim in report["claims"] for cited in claim["citations"]}
    assert Counter(cited.values()) == {"verified": 4, "refuted": 2, "unknown": 2}
    assert (cited["commit:78cbcfcd"], cited["commit:5f0c1d2e9a"]) == ("verified", "refuted")


@pytest.mark.parametrize(
    ("claims", "options", "code"),
    [
        pytest.param([CITED], [], 0, id="verified"),
        pytest.param([CITED, PLAIN], [], 1, id="one-to-review"),
        pytest.param([CITED, GUESS], [], 1, id="one-to-block"),
        pytest.param([PLAIN], ["--source", "user"], 0, id="trusted-source"),
        pytest.param([PLAIN], ["--source", "chat", "--memory-type", "preference"], 0, id="preference-in-a-chat"),
        pytest.param([PLAIN], ["--source", "chat", "--memory-type", "decision"], 1, id="decision-in-a-chat"),
        pytest.param([CITED, ""], [], 2, id="one-is-none"),
    ],
)
def test_exit_code_shows_whether_all_are_approved(run, adrs, claims, options, code):
    """0 if all are approved, 1 if some are not, 2 if a line is no claim."""
    assert run("ingest", *claims, *adrs, *options).code == code


def test_claims_may_have_their_own_type_and_source(run, write):
    """Type, source and user of a line take precedence over the options."""
    write(
        "claims.jsonl",
        "\n".join(
            json.dumps(each)
            for each in ({"content": PLAIN, "type": "decision", "source": "user", "user": "ann", "id": 7}, GUESS)
        ),
    )
    claims = run("ingest", "--file", "claims.jsonl", "--user", "bob", "-f", "json").report["claims"]
    fields = ("id", "name", "line", "content", "memory_type", "source", "user_id", "tier")
    assert [tuple(claim[field] for field in fields) for claim in claims] == [
        ("7", "claims.jsonl:1", 1, PLAIN, "decision", "user", "ann", "tier_1"),
        (None, "claims.jsonl:2", 2, GUESS, "fact", "ai_synthesis", "bob", "tier_3"),
    ]


def test_approved_claims_are_stored_and_doubtful_ones_queued(run, adrs, tmp_path):
    """Memories have their sources, blocked claims are not written, and the report has the ids."""
    claims = run("ingest", CITED, PLAIN, GUESS, *adrs, "--database", "memory.db", "-f", "json").report["claims"]
    assert [claim["outcome"] for claim in claims] == ["stored", "queued", "rejected"]
    (memory,) = stored(tmp_path)
    assert (memory.id, memory.content, memory.source_ids) == (claims[0]["memory_id"], CITED, ("ADR-003",))
    again = run("ingest", PLAIN, "--database", "memory.db", "-f", "json").report["claims"][0]
    assert again["code"] == "duplicate"
    assert again["other"] == {"id": claims[1]["queue_id"], "number": None, "similarity": 1.0, "text": PLAIN}


def test_a_memory_that_is_offered_again_is_recognised(run, tmp_path):
    """It is not stored a second time."""
    assert run("ingest", PLAIN, "--source", "user", "--database", "memory.db").code == 0
    (claim,) = run("ingest", PLAIN, "--source", "user", "--database", "memory.db", "-f", "json").report["claims"]
    assert (claim["tier"], claim["code"], claim["outcome"]) == ("tier_3", "recalled", "rejected")
    assert len(stored(tmp_path)) == 1


def test_a_contradiction_names_the_memory(run):
    """Ruling C2: a correction goes to review, beside what it corrects."""
    run("ingest", "The limit is 30 requests.", "--source", "user", "--database", "memory.db")
    (claim,) = run(
        "ingest", "The limit is 60 requests.", "--database", "memory.db", "--source", "user", "-f", "json"
    ).report["claims"]
    assert (claim["tier"], claim["code"], claim["other"]["text"]) == (
        "tier_2",
        "conflict",
        "The limit is 30 requests.",
    )


def test_claims_of_one_input_are_compared_with_each_other(run):
    """This also holds without a store; the report names the other claim by its position."""
    result = run("ingest", PLAIN, PLAIN.upper(), "--source", "user", "-f", "json")
    assert tiers(result) == ["tier_1", "tier_3"]
    assert result.report["claims"][1]["other"] == {"id": "claim 1", "number": 1, "similarity": 1.0, "text": PLAIN}
    assert result.report["settings"]["compared_with"] == "input"


def test_a_memory_of_another_user_is_not_seen(run):
    """Ruling C16."""
    run("ingest", PLAIN, "--source", "user", "--user", "ann", "--database", "memory.db")
    assert run("ingest", PLAIN, "--source", "user", "--user", "bob", "--database", "memory.db").code == 0


def test_dry_run_writes_nothing(run, tmp_path):
    """No file is created, and an existing store is still compared with."""
    options = ["--source", "user", "--database", "memory.db"]
    assert run("ingest", PLAIN, *options, "--dry-run").code == 0
    assert [*tmp_path.iterdir()] == []
    run("ingest", PLAIN, *options)
    result = run("ingest", PLAIN, "The other mill is open.", *options, "--dry-run", "-f", "json")
    assert tiers(result) == ["tier_3", "tier_1"]
    assert [claim["outcome"] for claim in result.report["claims"]] == [None, None]
    assert result.report["settings"]["writes"] is False
    assert [memory.content for memory in stored(tmp_path)] == [PLAIN]


def test_dry_run_makes_no_file_for_a_url_either(run, tmp_path):
    """`sqlite:///` names a file as well."""
    assert run("ingest", PLAIN, "--source", "user", "--database", "sqlite:///memory.db", "--dry-run").code == 0
    assert [*tmp_path.iterdir()] == []


def test_both_databases_take_claims(run, location):
    """Claims are stored, queued, and compared with in the next run."""
    options = ["--database", location, "-f", "json"]
    first = run("ingest", CITED, PLAIN, GUESS, "--user", "ann", *options)
    assert [claim["outcome"] for claim in first.report["claims"]] == ["queued", "queued", "rejected"]
    second = run("ingest", "The weir is open.", PLAIN, "--source", "user", "--user", "ann", *options)
    assert [(claim["outcome"], claim["code"]) for claim in second.report["claims"]] == [
        ("stored", "trusted_source"),
        ("rejected", "duplicate"),
    ]
    assert second.report["claims"][1]["other"]["text"] == PLAIN


def test_shadow_mode_stores_everything_and_reports_the_decisions(run, tmp_path):
    """The exit code is 0 whatever the decisions; a dry run stores nothing."""
    result = run("ingest", PLAIN, GUESS, "--shadow-mode", "--database", "memory.db", "-f", "json")
    assert (result.code, tiers(result)) == (0, ["tier_2", "tier_3"])
    assert {memory.content for memory in stored(tmp_path)} == {PLAIN, GUESS}
    assert run("ingest", GUESS, "--shadow-mode", "--database", "memory.db", "--dry-run").code == 1


def test_a_derived_claim_is_trusted_no_more_than_its_parents(run, write):
    """`parents` names memories of the store; an unknown id is no parent."""
    first = run("ingest", PLAIN, "--source", "user", "--database", "memory.db", "-f", "json").report["claims"][0][
        "memory_id"
    ]
    doubtful = run("ingest", GUESS, "--shadow-mode", "--database", "memory.db", "-f", "json").report["claims"][0][
        "memory_id"
    ]
    lines = [
        {"content": "So nobody grinds corn there.", "source": "user", "parents": [first]},
        {"content": "So bread will be dear.", "source": "user", "parents": [first, doubtful]},
        {"content": "So the river is free.", "source": "user", "parents": ["mem-nobody"]},
    ]
    write("derived.jsonl", "\n".join(map(json.dumps, lines)))
    result = run("ingest", "--file", "derived.jsonl", "--database", "memory.db", "-f", "json")
    assert [claim["code"] for claim in result.report["claims"]] == ["trusted_source", "parent_less_trusted"]
    assert result.stderr.startswith(
        'error: derived.jsonl, line 3: "parents" names a memory that does not belong to the user\n'
    )
    without = run("ingest", "--file", "derived.jsonl")
    assert 'line 1: "parents" requires --database, the store with their evidence' in without.stderr


def test_research_prose_is_hedged_on_request(run):
    """`--scientific-hedges` treats scientific phrases as hedges too."""
    claim = "The putative gate closes at night."
    assert run("ingest", claim, "--source", "user").code == 0
    assert run("ingest", claim, "--source", "user", "--scientific-hedges").code == 1


def test_a_cited_text_must_support_the_claim(run, adrs, write):
    """
    Ruling C19: this is the default; with `--no-verify-claim-relevance` existence is enough, and the report says so.
    """
    write("adrs/0003-mill.md", "# The mill\n\nThe mill is closed in winter, for the river freezes.\n")
    said, other = "The mill is closed in winter (ADR-3).", "The bakery opens on Sundays (ADR-3)."
    result = run("ingest", said, other, *adrs, "-f", "json")
    assert tiers(result) == ["tier_1", "tier_2"]
    passages = [claim["passages"][0] for claim in result.report["claims"]]
    assert [(each["verdict"], each["line"]) for each in passages] == [("supports", 3), ("unrelated", 1)]
    assert passages[0]["text"] == "The mill is closed in winter, for the river freezes."
    loose = run("ingest", said, other, *adrs, "--no-verify-claim-relevance", "-f", "json")
    assert tiers(loose) == ["tier_1", "tier_1"]
    assert loose.report["claims"][1]["checks_failed"] == ["citation_not_compared: ADR-003"]
    assert "content of citations not checked" in run("ingest", other, *adrs, "--no-verify-claim-relevance").stdout


def test_an_unknown_source_or_type_goes_to_review(run):
    """Ruling C20: the claim is accepted as input, and standard error explains the consequence."""
    for options in (["--source", "gossip"], ["--memory-type", "rumour"]):
        result = run("ingest", PLAIN, *options, "-f", "json")
        assert tiers(result) == ["tier_2"]
        assert "is unknown: its claims go to review" in result.stderr


def test_claims_of_a_model_are_reviewed_on_request(run, adrs):
    """This holds for any citation; claims of people are approved as before (ruling C18)."""
    result = run("ingest", CITED, *adrs, "--no-auto-approve-ai-synthesis", "-f", "json")
    assert (tiers(result), result.report["settings"]["auto_approve_ai_synthesis"]) == (["tier_2"], False)
    assert run("ingest", PLAIN, "--source", "user", "--no-auto-approve-ai-synthesis").code == 0
    assert run("ingest", CITED, *adrs, "--auto-approve-ai-synthesis").code == 0


def test_threshold_is_the_minimum_similarity_of_a_copy(run):
    """Five words of six are a duplicate from 0.6 on, but not from 0.92 on."""
    claims = ["The old mill is closed.", "The old wooden mill is closed."]
    assert run("ingest", *claims, "--source", "user").code == 0
    result = run("ingest", *claims, "--source", "user", "--threshold", "0.6", "-f", "json")
    assert tiers(result) == ["tier_1", "tier_3"]
    assert result.report["settings"]["threshold"] == 0.6


def test_long_copies_are_found_by_sketches(run):
    """`--dedup-method minhash`."""
    text = " ".join(f"word{number}" for number in range(300))
    result = run("ingest", text, f"{text} more", "--source", "user", "--dedup-method", "minhash", "-f", "json")
    assert tiers(result) == ["tier_1", "tier_3"]


def test_on_a_terminal_the_report_is_in_colour(adrs, tmp_path):
    """The report has signs, words and a reason for each claim."""
    code, screen = run_on_terminal("ingest", CITED, GUESS, *adrs, cwd=tmp_path)
    shown = CONTROL_SEQUENCE.sub("", screen)
    assert code == 1
    assert screen != shown
    assert "✓ approve" in shown
    assert "(Has verified citation)" in shown
    assert "✗ block" in shown
    assert "(Contains personal speculation; hedge_words_detected: I think)" in " ".join(shown.split())
    assert "1 of 2 claims approved (50.0 %)" in shown


def test_interrupt_does_not_wait_for_work_that_never_yields(run, monkeypatch):
    """Ctrl-C ends the comparison of claims at once; no event loop delays it."""
    went_on = []

    async def validate_many(*_, **__):
        signal.raise_signal(signal.SIGINT)
        went_on.append(True)

    monkeypatch.setattr(IngestionValidator, "validate_many", validate_many)
    assert run("ingest", "The mill is closed.") == (130, "", "error: interrupted\n")
    assert went_on == []
