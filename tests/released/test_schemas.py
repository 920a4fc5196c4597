"""Changes of a JSON Schema that break a reader are found; fields and values may be added."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from api_changes.schemas import breaking_changes

SCHEMA: dict[str, Any] = {
    "$ref": "#/$defs/Report",
    "$defs": {
        "Report": {
            "title": "Report",
            "type": "object",
            "properties": {
                "version": {"enum": ["1"]},
                "score": {"type": "number", "minimum": 0, "maximum": 1},
                "note": {"type": "string"},
                "kind": {"enum": ["exact", "near"]},
                "nearest": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}]},
                "places": {"type": "array", "items": {"$ref": "#/$defs/Place"}},
                "span": {
                    "type": "array",
                    "prefixItems": [{"type": "integer"}, {"type": "integer"}],
                    "minItems": 2,
                    "maxItems": 2,
                    "items": False,
                },
                "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
            },
            "required": ["version", "score", "kind", "places"],
        },
        "Place": {
            "title": "Place",
            "type": "object",
            "properties": {"start": {"type": "integer"}, "inner": {"$ref": "#/$defs/Place"}},
            "required": ["start"],
        },
    },
}

Change = Callable[[dict[str, Any]], object]


def changed(change: Change) -> list[str]:
    """Return what is found after *change* of the definitions."""
    new = copy.deepcopy(SCHEMA)
    change(new["$defs"])
    return breaking_changes(SCHEMA, new)


def fields(definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the report."""
    return definitions["Report"]["properties"]


def test_a_schema_breaks_nothing_of_itself():
    """Definitions that contain themselves end the comparison too."""
    assert breaking_changes(SCHEMA, copy.deepcopy(SCHEMA)) == []


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda defs: fields(defs).update(new={"type": "string"}), id="an-optional-field"),
        pytest.param(
            lambda defs: (fields(defs).update(new={"type": "string"}), defs["Report"]["required"].append("new")),
            id="a-field-that-is-always-there",
        ),
        pytest.param(lambda defs: fields(defs)["kind"]["enum"].append("altered"), id="a-value"),
        pytest.param(lambda defs: fields(defs)["kind"]["enum"].reverse(), id="the-order-of-values"),
        pytest.param(lambda defs: defs.update(New={"type": "object", "properties": {}}), id="a-definition"),
        pytest.param(lambda defs: fields(defs)["note"].update(description="A note."), id="a-description"),
        pytest.param(lambda defs: fields(defs).update(kind={"type": "string", "enum": ["exact", "near"]}), id="a-type"),
    ],
)
def test_what_may_be_added(change):
    """Readers ignore what they do not know."""
    assert changed(change) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda defs: fields(defs).pop("note"), "Report.note: the field was removed"),
        (
            lambda defs: fields(defs).update(note={"type": "integer"}),
            "Report.note: narrowed, it is never of type string",
        ),
        (
            lambda defs: fields(defs).update(nearest={"$ref": "#/$defs/Place"}),
            "Report.nearest: narrowed, it is never of type null now",
        ),
        (
            lambda defs: fields(defs).update(note={"type": ["string", "null"]}),
            "Report.note: widened, it may be of type null now",
        ),
        (lambda defs: fields(defs).update(note={}), "Report.note: widened, it may be any value now"),
        (lambda defs: fields(defs)["kind"]["enum"].remove("near"), 'Report.kind: the value "near" was removed'),
        (
            lambda defs: fields(defs)["note"].update(enum=["a"]),
            "Report.note: narrowed, it was any value and is one of 1",
        ),
        (
            lambda defs: fields(defs).update(kind={"type": "string"}),
            "Report.kind: widened, it was one of 2 values and is any",
        ),
        (lambda defs: fields(defs)["kind"]["enum"].append(None), "Report.kind: widened, it may be of type null now"),
        (lambda defs: defs["Report"]["required"].append("note"), "Report.note: the field was optional and is required"),
        (
            lambda defs: defs["Report"]["required"].remove("kind"),
            "Report.kind: the field was always present and may be missing",
        ),
        (lambda defs: fields(defs)["score"].update(maximum=0.5), "Report.score: maximum was 1 and is 0.5"),
        (lambda defs: fields(defs)["score"].pop("minimum"), "Report.score: minimum was 0 and is absent"),
        (lambda defs: fields(defs)["note"].update(pattern="^a"), 'Report.note: pattern was absent and is "^a"'),
        (
            lambda defs: defs["Place"]["properties"].update(start={"type": "number"}),
            "Place.start: widened, it may be of type number now",
        ),
        (
            lambda defs: fields(defs)["places"].update(items={"type": "string"}),
            "Report.places[]: narrowed, it is never an object Place now",
        ),
        (lambda defs: fields(defs)["places"].pop("items"), 'Report.places[]: {"$ref": "#/$defs/Place"} became absent'),
        (lambda defs: fields(defs)["span"]["prefixItems"].pop(), "Report.span: 2 fixed items became 1"),
        (
            lambda defs: fields(defs)["span"]["prefixItems"].__setitem__(1, {"type": "string"}),
            "Report.span[1]: narrowed, it is never of type integer now",
        ),
        (lambda defs: fields(defs)["span"].pop("items"), "Report.span[]: false became absent"),
        (
            lambda defs: fields(defs)["counts"].update(additionalProperties={"type": "string"}),
            "Report.counts.*: narrowed, it is never of type integer now",
        ),
        (lambda defs: defs["Report"].update(additionalProperties=False), "Report.*: absent became false"),
        (
            lambda defs: (defs.update(Spot=defs.pop("Place")), fields(defs).clear()),
            "Place: the definition was removed",
        ),
    ],
    ids=lambda value: value.partition(",")[0].replace(" ", "-") if isinstance(value, str) else "",
)
def test_what_breaks_a_reader(change, expected):
    """The message names the field and what happened to it."""
    assert [found for found in changed(change) if found.startswith(expected)] != []


def test_a_definition_with_another_name_is_followed():
    """The fields are compared with those of the definition that took its place."""

    def rename(defs: dict[str, Any]) -> None:
        defs["Spot"] = {"title": "Place", "type": "object", "properties": {}, "required": []}
        fields(defs)["places"]["items"] = {"$ref": "#/$defs/Spot"}

    assert "Report.places[].start: the field was removed" in changed(rename)


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ({"type": "string", "not": {}}, "the keyword `not` is not compared"),
        ({"$ref": "#/$defs/Nothing"}, "`#/\\$defs/Nothing` is not defined"),
        ({"anyOf": [{"type": "string"}, {"type": "string"}]}, "two alternatives of type string cannot be compared"),
    ],
)
def test_what_cannot_be_compared_is_an_error(node, message):
    """Nothing passes because it was not understood."""
    with pytest.raises(ValueError, match=message):
        changed(lambda defs: fields(defs).update(note=node))
