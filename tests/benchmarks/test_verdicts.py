"""The table of verdicts: from labelled quotes to counts, on a set that is small enough to count by hand."""

import json
from types import SimpleNamespace

import pytest

from groundwire import evidence
from groundwire.calibration import Rate

PATIENT = "Ellie: How do you sleep?\nMax: I can’t sleep at night, and I take 15 mg of it. I am not sad.\n" * 2
CAPTAIN = "The captain said that the mast would not hold, and ordered the crew to cut it down at once.\n"

# Columns: id, document, quote, kind, the passage that the quote was made from.
QUOTES = [
    ("q1", "patient.txt", "I take 15 mg of it", "verbatim", "I take 15 mg of it"),
    ("q2", "patient.txt", "i TAKE 15 mg of it", "case", "I take 15 mg of it"),
    ("q3", "patient.txt", "I take 50 mg of it", "number-changed", "I take 15 mg of it"),
    ("q4", "patient.txt", "I take １５ mg of it", "number-changed", "I take 15 mg of it"),
    ("q5", "patient.txt", "I take 15 mg of it. I am sad", "negation", "I take 15 mg of it. I am not sad"),
    ("q6", "patient.txt", "I can't sleep at nihgt", "typo", "I can’t sleep at night"),
    ("q7", "patient.txt", "ordered the crew to cut it down", "other-document", "ordered the crew to cut it down"),
    ("q8", "captain.txt", "the mast would not hold", "verbatim", "the mast would not hold"),
]


@pytest.fixture
def labelled(tmp_path):
    """A folder with two documents and quotes.jsonl."""
    texts = {"patient.txt": PATIENT, "captain.txt": CAPTAIN}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode())
    with (tmp_path / "quotes.jsonl").open("w", encoding="utf-8") as file:
        for row_id, document, quote, kind, passage in QUOTES:
            home = "captain.txt" if kind == "other-document" else document
            start = texts[home].index(passage)
            origin = [home, start, start + len(passage)]
            file.write(
                json.dumps({"id": row_id, "doc": document, "quote": quote, "kind": kind, "origin": origin}) + "\n"
            )
    return tmp_path


@pytest.fixture
def outcomes(labelled):
    """Return a function from the name of a judge to {id: (kind, outcome)}."""
    from verdict_judges import JUDGES
    from verdict_record import judge_all
    from verdict_rows import read_quotes

    def judged(name):
        judges = [judge for judge in JUDGES if judge.name == name]
        found = {}
        for _, records in judge_all(judges, read_quotes(labelled / "quotes.jsonl"), labelled):
            for kind, rows in records[name].items():
                found |= {row["id"]: (kind, row) for row in rows}
        return found

    return judged


@pytest.fixture
def record(labelled, tmp_path):
    """The record of the literal rules, as the script writes it."""
    import verdicts

    path = tmp_path / "record.json"
    args = [
        str(labelled / "quotes.jsonl"),
        "--texts",
        str(labelled),
        "--judges",
        "literal substring|literal fuzzy 0.85",
    ]
    assert verdicts.main([*args, "--no-times", "--record", str(path), "-o", str(tmp_path / "report.md")]) == 0
    return json.loads(path.read_text(encoding="utf-8"))


def accepted(found):
    """The ids of the accepted quotes."""
    return {row_id for row_id, (_, row) in found.items() if row["accepted"]}


@pytest.mark.parametrize(
    ("expected", "judge", "module"),
    [
        ({"q1", "q2", "q4", "q8"}, "literal substring", "groundwire"),
        ({"q1", "q2", "q3", "q4", "q5", "q6", "q8"}, "literal fuzzy 0.85", "groundwire"),
        ({"q1", "q2", "q3", "q4", "q5", "q6", "q8"}, "RapidFuzz 0.85", "rapidfuzz"),
        ({"q1", "q2", "q3", "q4", "q6", "q8"}, "RapidFuzz 0.9", "rapidfuzz"),
        ({"q1", "q2", "q8"}, "quotecheck", "quotecheck"),
        ({"q1", "q2", "q3", "q4", "q5", "q8"}, "langextract, no parts", "langextract"),
    ],
)
def test_judges_accept_what_their_rule_accepts(outcomes, expected, judge, module):
    """Each judge is called by its own interface, and its answer is understood."""
    pytest.importorskip(module)
    assert accepted(outcomes(judge)) == expected


def test_verdicts_of_the_guarded_rule_are_taken_over(outcomes, monkeypatch):
    """Status, acceptance and all places are taken over; reasons are its codes and the kinds of differences."""

    def assess_quotes(quotes, source):
        match = SimpleNamespace(start=0, end=5)
        differences = [SimpleNamespace(kind="number")]
        verdict = SimpleNamespace(status="altered", accepted=False, reasons=["meaning_changed"])
        whole = [(0, len(source.text))]
        return [SimpleNamespace(**vars(verdict), match=match, all_spans=whole, differences=differences) for _ in quotes]

    monkeypatch.setattr(evidence, "assess_quotes", assess_quotes, raising=False)
    monkeypatch.setattr(evidence, "__all__", ["assess_quotes"])
    _, outcome = outcomes("guarded")["q3"]
    assert outcome == {
        "id": "q3",
        "status": "altered",
        "accepted": False,
        "reasons": ["meaning_changed", "difference:number"],
        "place": None,
    }


def test_change_that_normalisation_takes_back_is_a_kind_of_its_own(outcomes):
    """Full-width digits are the same number, so no rule could notice the change."""
    kinds = {row_id: kind for row_id, (kind, _) in outcomes("literal substring").items()}
    assert (kinds["q3"], kinds["q4"]) == ("number-changed", "number-changed (change lost in normalisation)")


def test_place_is_held_against_the_origin():
    """Places are the same by overlap, or differ; without an origin nothing is compared."""
    from verdict_judges import Verdict
    from verdict_record import place
    from verdict_rows import LabelledQuote

    start = PATIENT.index("I take")
    row = LabelledQuote("q", "patient.txt", "I take 15 mg", "verbatim", ("patient.txt", start, start + 12))
    again = PATIENT.rindex("I take")

    def found(*spans):
        return place(row, Verdict("x", True, spans), PATIENT)

    assert found((start + 11, start + 20)) == "origin"
    assert found((start - 5, start)) == "elsewhere"
    assert found((again, again + 12)) == "same words"
    assert found((0, 5), (start, start + 1)) == "origin"
    assert found() == "elsewhere"
    assert place(row, Verdict("x", False), PATIENT) is None
    other = LabelledQuote("q", "patient.txt", "I take 15 mg", "other-document", ("captain.txt", 0, 12))
    assert place(other, Verdict("x", True, ((0, 5),)), PATIENT) is None


def test_spans_of_normalised_text_are_brought_back():
    """RapidFuzz gets normalised texts; its spans are mapped back to the original."""
    from verdict_judges import Verdict, from_normalized

    document = "One   <b> two\n\n\nthree four"
    ((verdict),) = from_normalized([Verdict("similar", True, ((8, 13),))], document)
    ((start, end),) = verdict.spans
    assert document[start:end].strip() == "three"


@pytest.mark.usefixtures("record")
def test_pools_have_rates_intervals_and_marks(tmp_path):
    """Two changed quotes are equal after normalisation; fuzzy mode accepts both, which counts as a miss."""
    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert (
        "| number changed, negation | ≤ 1 % | 0.0 % (0.0–65.8; 0/2) ✓ | 100.0 % (34.2–100.0; 2/2) ✗ |"
        in report.splitlines()
    )
    assert "| negation | fuzzy | – | 1 | q5 |" in report.splitlines()
    assert "| typo | absent | – | 1 | q6 |" in report.splitlines()
    assert "| literal fuzzy 0.85 | 7 | 0 | 0 |" in report.splitlines()


def test_records_contain_no_text(record, tmp_path):
    """Records have ids, counts and names of kinds only, because quotes may be private."""
    written = json.dumps(record) + (tmp_path / "report.md").read_text(encoding="utf-8")
    assert [quote for _, _, quote, _, _ in QUOTES if quote in written] == []
    assert not {"sleep", "captain", "mg of", "mast"} & set(written.split())


@pytest.mark.usefixtures("record")
def test_report_is_made_from_the_record_again(tmp_path):
    """The report needs only the record."""
    import verdicts

    again = tmp_path / "again.md"
    assert verdicts.main(["--from-record", str(tmp_path / "record.json"), "-o", str(again)]) == 0
    assert again.read_bytes() == (tmp_path / "report.md").read_bytes()


def test_exit_code_tells_that_the_guarded_rule_misses(record, tmp_path, capsys):
    """The misses of the literal rules are shown, but the exit code ignores them."""
    import verdicts

    record["judges"]["guarded"] = record["judges"]["literal fuzzy 0.85"]
    path = tmp_path / "guarded.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert verdicts.main(["--from-record", str(path), "-o", str(tmp_path / "x.md")]) == 1
    assert capsys.readouterr().err == "missed: number changed, negation\n"


def test_times_are_those_of_the_same_quotes(labelled, monkeypatch):
    """Times are in seconds per quote, on documents of medium length."""
    import verdict_record
    from verdict_judges import JUDGES
    from verdict_rows import read_quotes

    monkeypatch.setattr(verdict_record, "_TIMED_CHARS", (1, 1_000))
    monkeypatch.setattr(verdict_record, "_BUDGET_S", 0.001)
    judges = [judge for judge in JUDGES if judge.package == "groundwire" and judge.name.startswith("literal")]
    times = verdict_record.time_judges(judges, read_quotes(labelled / "quotes.jsonl"), labelled)
    assert (times["documents"], times["quotes"], sorted(times["chars"])) == (2, 8, sorted([len(PATIENT), len(CAPTAIN)]))
    assert [0 < seconds < 1 for seconds in times["seconds_per_quote"].values()] == [True, True]


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"id": "a"}', '{"id": 1, "doc": "d", "quote": "", "kind": "k", "origin": ["d", 0, 1]}']
)
def test_wrong_line_is_named_without_its_text(tmp_path, line):
    """The error has the number of the line."""
    from verdict_rows import RowError, read_quotes

    path = tmp_path / "quotes.jsonl"
    path.write_text("\n" + line, encoding="utf-8")
    with pytest.raises(RowError, match=r"^line 2 is no labelled quote: "):
        read_quotes(path)


@pytest.mark.parametrize(
    ("expected", "count", "total"),
    [((0.0, 0.0370), 0, 100), ((0.9630, 1.0), 100, 100), ((0.4038, 0.5962), 50, 100), ((0.0, 1.0), 0, 0)],
)
def test_interval_is_wilsons(expected, count, total):
    """The values are those of the published formula; without data the interval is 0 to 1."""
    assert Rate(count, total).interval == pytest.approx(expected, abs=5e-5)
