"""`groundwire review`: the group. `queue` has the commands about claims, `page` those about the review page."""

import click

from groundwire.cli.app import CommandGroup, deferred

_QUEUE, _PAGE = "groundwire.cli.review.queue", "groundwire.cli.review.page"


@click.group(
    cls=CommandGroup,
    commands=deferred(
        {
            "list": (f"{_QUEUE}:list_claims", "List claims, in the order in which they came."),
            "show": (f"{_QUEUE}:show", "Show a claim with its evidence and what it contradicts."),
            "approve": (f"{_QUEUE}:approve", "Store claims as memories."),
            "reject": (f"{_QUEUE}:reject", "Discard claims."),
            "verify-audit": (f"{_QUEUE}:verify_audit", "Check that nobody changed the audits outside of groundwire."),
            "export": (f"{_QUEUE}:export", "Show the audit as JSON lines, one entry a line."),
            "serve": (f"{_PAGE}:serve", "Serve the review page and its API."),
            "token": (f"{_PAGE}:token", "Make, list or revoke tokens for the review page."),
        }
    ),
)
def review() -> None:
    """Decide about claims that wait for a person."""
