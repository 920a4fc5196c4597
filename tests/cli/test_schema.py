"""The published JSON Schemas, and the reports that follow them."""

import json
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "docs" / "schema" / "check-report.v1.schema.json"
PUBLISHED_CITE = ROOT / "docs" / "schema" / "cite-report.v1.schema.json"
PUBLISHED_INGEST = ROOT / "docs" / "schema" / "ingest-report.v1.schema.json"
PUBLISHED_VALIDATE = ROOT / "docs" / "schema" / "validate-report.v1.schema.json"
PUBLISHED_BULK = ROOT / "docs" / "schema" / "bulk-report.v1.schema.json"
ALL = {
    "bulk": PUBLISHED_BULK,
    "check": PUBLISHED,
    "cite": PUBLISHED_CITE,
    "ingest": PUBLISHED_INGEST,
    "validate": PUBLISHED_VALIDATE,
}
SAMPLE = ROOT / "examples" / "personas"
EXAMPLES = (str(ROOT / "examples" / "interview.txt"), "-q", str(ROOT / "examples" / "extraction.json"))
CITE_EXAMPLES = (str(ROOT / "examples" / "answer.md"), "-r", str(ROOT / "examples" / "results.json"))


@pytest.mark.parametrize(("report", "published"), ALL.items(), ids=ALL)
def test_published_schema_is_the_one_of_the_types(run, report, published):
    """`groundwire schema check > docs/schema/check-report.v1.schema.json` changes nothing."""
    assert (0, published.read_text(encoding="utf-8"), "") == run("schema", report)


@pytest.mark.parametrize("published", ALL.values(), ids=ALL)
def test_schema_has_the_address_at_which_it_is_published(published):
    """The address ends in the name of the file, which has the version that reports carry as `schema_version`."""
    schema = json.loads(published.read_text(encoding="utf-8"))
    assert schema["$id"] == f"https://groundwire.github.io/groundwire/schema/{published.name}"
    report = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    (version,) = report["properties"]["schema_version"]["enum"]
    assert published.name.endswith(f"-report.v{version}.schema.json")


@pytest.mark.parametrize("published", ALL.values(), ids=ALL)
def test_schema_itself_is_valid(published):
    """The schema is valid by draft 2020-12."""
    jsonschema.Draft202012Validator.check_schema(json.loads(published.read_text(encoding="utf-8")))


def test_citation_report_of_the_examples_holds_to_its_schema(run):
    """Every field is present and known, every value is in range; lines are answers."""
    schema = closed(json.loads(PUBLISHED_CITE.read_text(encoding="utf-8")))
    report = run("cite", *CITE_EXAMPLES, "-f", "json").report
    jsonschema.validate(report, schema)
    (line,) = run("cite", *CITE_EXAMPLES, "-f", "jsonl").stdout.splitlines()
    assert report["answers"] == [json.loads(line)]
    jsonschema.validate(json.loads(line), schema | {"$ref": "#/$defs/AnswerReport"})


@pytest.mark.parametrize(
    "options", [[], ["--database", "memory.db"], ["--database", "memory.db", "--shadow-mode"]], ids=len
)
def test_report_on_the_sample_of_claims_holds_to_its_schema(run, sample, options):
    """With and without a store, lines are claims."""
    schema = closed(json.loads(PUBLISHED_INGEST.read_text(encoding="utf-8")))
    jsonschema.validate(run("ingest", *sample, *options, "-f", "json").report, schema)
    lines = run("ingest", *sample, *options, "-f", "jsonl").stdout.splitlines()
    assert len(lines) == 18
    for line in lines:
        jsonschema.validate(json.loads(line), schema | {"$ref": "#/$defs/ClaimReport"})


@pytest.mark.parametrize(
    "options", [[], ["--field-policies", str(SAMPLE / "policies.toml"), "--threshold", "0.9"]], ids=len
)
def test_report_on_the_sample_of_personas_holds_to_its_schema(run, options):
    """Lines are personas."""
    schema = closed(json.loads(PUBLISHED_VALIDATE.read_text(encoding="utf-8")))
    args = (str(SAMPLE / "personas.json"), "--faithfulness", "--source", str(SAMPLE / "research"), *options)
    report = run("validate", *args, "-f", "json").report
    jsonschema.validate(report, schema)
    lines = run("validate", *args, "-f", "jsonl").stdout.splitlines()
    assert report["personas"] == [json.loads(line) for line in lines]
    for line in lines:
        jsonschema.validate(json.loads(line), schema | {"$ref": "#/$defs/PersonaReport"})


@pytest.mark.parametrize("args", [[], ["--mode", "fuzzy"]], ids=["substring", "fuzzy"])
def test_report_of_the_examples_holds_to_the_schema(run, args):
    """Every field is present and known, every value is in range."""
    report = run("check", *EXAMPLES, "-f", "json", *args).report
    jsonschema.validate(report, closed(json.loads(PUBLISHED.read_text(encoding="utf-8"))))


def test_json_lines_hold_to_the_schema_of_a_quote(run):
    """A line is an item of `quotes`, whose schema is `#/$defs/QuoteResult`."""
    schema = closed(json.loads(PUBLISHED.read_text(encoding="utf-8"))) | {"$ref": "#/$defs/QuoteResult"}
    lines = run("check", *EXAMPLES, "-f", "jsonl").stdout.splitlines()
    report = run("check", *EXAMPLES, "-f", "json").report
    assert report["quotes"] == [json.loads(line) for line in lines]
    for line in lines:
        jsonschema.validate(json.loads(line), schema)


def closed(schema):
    """Return *schema* so that it refuses unknown fields."""
    for definition in schema["$defs"].values():
        definition["additionalProperties"] = False
    return schema
