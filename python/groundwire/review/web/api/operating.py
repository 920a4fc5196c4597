"""What whoever runs the page asks for."""

from starlette.responses import Response

from groundwire.review.web.api.exchange import reply
from groundwire.review.web.api.openapi import document
from groundwire.review.web.visits import Visit

__all__ = ["health", "metrics", "openapi"]


async def health(visit: Visit) -> Response:
    """Tell whether the database answers; nobody learns more from it."""
    await visit.site.queue.audit_trail(limit=1)
    return Response('{"status":"ok"}', media_type="application/json")


async def metrics(visit: Visit) -> Response:
    """Return the counts, for Prometheus."""
    counts = await visit.queue.counts(visit.name)
    return Response(visit.site.metrics.text(counts), media_type="text/plain; version=0.0.4; charset=utf-8")


async def openapi(visit: Visit) -> Response:
    """Return the OpenAPI document."""
    root = str(visit.request.scope.get("root_path", ""))
    return reply(lambda: document(root))
