"""`groundwire review`: `queue` has the commands for claims, `page` the commands for the review page."""

import click

from groundwire.cli.app import CommandGroup, deferred

_QUEUE, _PAGE = "groundwire.cli.review.queue", "groundwire.cli.review.page"


@click.group(
    cls=CommandGroup,
    commands=deferred(
        {
            "list": (f"{_QUEUE}:list_claims", "List claims in the order of submission."),
            "show": (f"{_QUEUE}:show", "Show a claim with its evidence and the memory it contradicts."),
            "approve": (f"{_QUEUE}:approve", "Store claims as memories."),
            "reject": (f"{_QUEUE}:reject", "Discard claims."),
            "verify-audit": (f"{_QUEUE}:verify_audit", "Check that only groundwire changed the audit logs."),
            "export": (f"{_QUEUE}:export", "Print the audit log as JSON lines."),
            "serve": (f"{_PAGE}:serve", "Serve the review page and its API."),
            "token": (f"{_PAGE}:token", "Create, list or revoke tokens for the review page."),
        }
    ),
)
def review() -> None:
    """Decide on claims that wait for review."""
