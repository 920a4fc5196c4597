"""The OpenAPI document describes the API: schemathesis tests both against each other."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from effort import examples
from groundwire.review.web.api.openapi import OPERATIONS, PREFIX, document


def test_the_document_has_every_route_of_the_api(site):
    """It has no other routes, and uses the routes' own names."""
    routes = {
        (route.path, next(iter(route.methods - {"HEAD"})).lower()): route.name
        for route in site.app.routes
        if route.path.startswith(PREFIX) and route.name != "openapi"
    }
    described = document()["paths"]
    told = {(path, method): one["operationId"] for path, of in described.items() for method, one in of.items()}
    assert told == routes
    assert len(told) == len(OPERATIONS)


def test_the_document_is_valid(site):
    """
    It is valid by the specification's schema, as schemathesis reads it; every operation has a body for every
    status.
    """
    given = site.program().get("/api/v1/openapi.json").json()
    assert given["openapi"] == "3.1.0"
    for operations in given["paths"].values():
        for one in operations.values():
            assert {"401", "429", "503"} <= one["responses"].keys()
            assert all("schema" in told["content"]["application/json"] for told in one["responses"].values())


@pytest.mark.parametrize("operation", [one.name for one in OPERATIONS])
def test_every_operation_matches_the_document(make_site, schemathesis, operation):
    """
    Hundreds of valid and invalid requests get the documented statuses, types and bodies, and none breaks anything.
    """
    site = make_site(queue={"per_user_limit": 1_000_000, "total_limit": 1_000_000})
    api = schemathesis.openapi.from_asgi("/api/v1/openapi.json", site.app)
    [described] = [one.ok() for one in api.get_all_operations() if one.ok().definition.raw["operationId"] == operation]
    headers = {"Authorization": f"Bearer {site.token['reviewer']}"}
    statuses = Counter()

    @settings(
        max_examples=examples(60), derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(case=described.as_strategy())
    def ask(case):
        if "queue_id" in case.path_parameters and statuses.total() % 2:
            case.path_parameters["queue_id"] = site.rich(f"Claim {statuses.total()}")
            if operation == "api_assign":
                # Few random names are those of reviewers.
                case.body = {"assignee": "rita"}
        answer = case.call(headers=headers)
        statuses[answer.status_code] += 1
        case.validate_response(answer)

    ask()
    assert statuses[200] + statuses[201] > 5
    assert statuses.keys() <= {200, 201, 400, 403, 404, 409, 415, 422}
