"""
Serves the checks over HTTP, as JSON (extra `review`).

`app` has the routes and their responses, problems included, and `service` what every request goes through: host,
token, limits, deadline and metrics. `schemas` has the types of requests and responses, `checks` turns a request into a
report, and `source_store` keeps sources by their hash. `openapi` describes the API. `groundwire.http_server` has the
server itself, and reads requests. Names are imported on first use (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.server.app import create_app
    from groundwire.server.service import ServiceLimits

__all__ = ["ServiceLimits", "create_app"]

_HOMES = {"ServiceLimits": "groundwire.server.service", "create_app": "groundwire.server.app"}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
