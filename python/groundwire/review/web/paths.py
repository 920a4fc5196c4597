"""Addresses within the page."""

import re

from groundwire.review.web.visits import Visit

__all__ = ["id_in_path", "local_part", "queue_id_of", "safe_local"]

# A page of ours without the place where the app is mounted: what somebody may be led back to.
_LOCAL = re.compile(r"/(?:claims/[A-Za-z0-9_][A-Za-z0-9_.:~-]{0,63})?(?:\?[A-Za-z0-9_.%=&+~-]{0,2000})?", re.ASCII)


def id_in_path(queue_id: str) -> str:
    """Return an id as it stands in a path: a slash, which ids may have, would be a part of the path."""
    return queue_id.replace("/", "~")


def queue_id_of(visit: Visit) -> str:
    """Return the id that the path names."""
    return str(visit.request.path_params["queue_id"]).replace("~", "/")


def local_part(visit: Visit) -> str:
    """Return the page that is asked for, as `safe_local` takes it; "/" for one that nobody needs to come back to."""
    scope = visit.request.scope
    path = str(scope["path"]).removeprefix(scope.get("root_path", ""))
    query = visit.request.url.query
    return safe_local(f"{path}?{query}" if query else path)


def safe_local(wanted: str) -> str:
    """Return *wanted* if it is a page of ours, else the first page: a link must not lead anywhere else."""
    return wanted if _LOCAL.fullmatch(wanted) else "/"
