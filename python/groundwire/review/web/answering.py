"""What becomes of a request, whatever happens."""

from time import perf_counter

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from groundwire.review.web.entrance import check_access, check_origin, recognise
from groundwire.review.web.problems import Problem, problem_of
from groundwire.review.web.visits import Entry, Site, Visit
from groundwire.telemetry import as_label, review_request_failed, text_hasher

__all__ = ["answer"]

_SAFE = ("GET", "HEAD")


async def answer(site: Site, entry: Entry, request: Request) -> Response:
    """Answer *request*, whatever happens."""
    started = perf_counter()
    visit = Visit(site, request)
    try:
        visit = await recognise(visit, entry)
        check_access(visit, entry)
        if request.method not in _SAFE:
            check_origin(request)
        response = await entry.handler(visit)
    except Exception as error:
        problem = problem_of(error)
        if problem.status == 500:
            _log(entry, error)
        response = _refuse(entry, visit, problem)
        if problem.retry_after_s is not None:
            response.headers["retry-after"] = str(problem.retry_after_s)
    site.metrics.answered(entry.name, response.status_code, perf_counter() - started)
    return response


def _refuse(entry: Entry, visit: Visit, problem: Problem) -> Response:
    """Tell it as the route does; in plain words if that fails as well."""
    try:
        return entry.refuse(visit, problem)
    except Exception as error:
        _log(entry, error)
        return PlainTextResponse("Something went wrong here.", status_code=500)


def _log(entry: Entry, error: Exception) -> None:
    """The class of what went wrong, never its words."""
    hasher = text_hasher()
    review_request_failed(route=as_label(entry.name, hasher), error_type=as_label(type(error).__name__, hasher))
