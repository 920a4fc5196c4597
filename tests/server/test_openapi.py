"""The OpenAPI document describes the service: schemathesis tests both against each other."""

import importlib
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")

from starlette.testclient import TestClient

from effort import examples
from groundwire.server import create_app
from groundwire.server.app import ROUTES, ServiceRoute
from groundwire.server.openapi import OPERATIONS, PREFIX, document
from server.service import DIGEST, TOKEN, client, keep

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "serve.md").read_text(encoding="utf-8")
OPERATOR = {"openapi", "health", "ready", "metrics"}


def test_the_document_has_every_route_of_the_api():
    """It has no other routes, and uses the routes' own names."""
    routes = {(each.path, each.method.lower()): each.name for each in ROUTES if each.name not in OPERATOR}
    described = document()["paths"]
    named = {(path, method): one["operationId"] for path, of in described.items() for method, one in of.items()}
    assert named == routes
    assert len(named) == len(OPERATIONS)


def test_the_document_describes_every_problem():
    """Each failure has the type of problems, and each success the type of its body."""
    given = client().get(f"{PREFIX}/openapi.json").json()
    assert given["openapi"] == "3.1.0"
    for operations in given["paths"].values():
        for one in operations.values():
            failures = {status: each for status, each in one["responses"].items() if status[0] in "45"}
            assert {"401", "503"} <= failures.keys()
            schemas = [each["content"]["application/problem+json"]["schema"]["$ref"] for each in failures.values()]
            assert {*schemas} == {"#/components/schemas/ProblemBody"}


def test_the_page_lists_every_route_and_its_token():
    """The table of the guide has the routes of the service."""
    listed = re.findall(r"^\| `([A-Z]+) (/\S+)` \| (yes|no) \|", PAGE, re.M)
    assert listed == [(each.method, each.path, "no" if each.is_public else "yes") for each in sorted(ROUTES, key=order)]


def order(route: ServiceRoute) -> int:
    """Return the place of a route in the table of the guide."""
    return PAGE.index(f"| `{route.method} {route.path}`")


def test_the_page_lists_every_status_of_a_problem():
    """The table of the guide has the statuses of the description."""
    described = {status for of in document()["paths"].values() for one in of.values() for status in one["responses"]}
    rows = re.findall(r"^\| ([0-9, ]+) \|", PAGE, re.M)
    assert {status for row in rows for status in row.split(", ")} == described - {"200", "201", "204"}


def test_addresses_follow_the_place_where_the_app_is_mounted():
    """The document names the server by the path of the mount."""
    assert document("/checks")["servers"] == [{"url": "/checks"}]


def test_only_a_service_with_a_token_asks_for_one():
    """Programs that read the document send what it names."""
    assert client().get(f"{PREFIX}/openapi.json").json()["security"] == []
    assert client(token=TOKEN).get(f"{PREFIX}/openapi.json").json()["security"] == [{"token": []}]


@pytest.mark.parametrize("operation", [one.name for one in OPERATIONS])
def test_every_operation_matches_the_document(schemathesis, operation):
    """Valid and invalid requests get the documented statuses, types and bodies, and none breaks anything."""
    app = create_app(hosts=None, token=TOKEN)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    service = TestClient(app, headers=headers)
    checks = importlib.import_module("schemathesis.specs.openapi.checks")
    api = schemathesis.openapi.from_asgi(f"{PREFIX}/openapi.json", app)
    [described] = [one.ok() for one in api.get_all_operations() if one.ok().definition.raw["operationId"] == operation]
    statuses = Counter()

    @settings(
        max_examples=examples(60), derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(case=described.as_strategy())
    def ask(case):
        if "sha256" in case.path_parameters and statuses.total() % 2:
            keep(service)
            case.path_parameters["sha256"] = DIGEST
        answer = case.call(headers=headers)
        statuses[answer.status_code] += 1
        # JSON Schema counts 2.0 as an integer, and the service does not.
        is_float = "got `float`" in answer.text
        case.validate_response(answer, excluded_checks=[checks.positive_data_acceptance] if is_float else [])

    ask()
    assert statuses.total() > 5
    assert statuses.keys() <= {200, 201, 204, 400, 404, 415, 422}
