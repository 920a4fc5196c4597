"""What becomes of a request, whatever happens."""

from asyncio import get_running_loop
from time import perf_counter

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from groundwire.review.web.entrance import check_access, check_head, check_origin, recognise
from groundwire.review.web.late import LateResponse
from groundwire.review.web.problems import Problem, problem_of
from groundwire.review.web.visits import Entry, Site, Visit
from groundwire.telemetry import as_label, review_request_failed, text_hasher

__all__ = ["answer", "make_body"]

_SAFE = ("GET", "HEAD")


async def answer(site: Site, entry: Entry, request: Request) -> Response:
    """Answer *request*, whatever happens."""
    started = perf_counter()
    visit = Visit(site, request)
    try:
        check_head(request, site.limits)
        visit = await recognise(visit, entry)
        check_access(visit, entry)
        response = await _handled(visit, entry)
    except Exception as error:
        problem = problem_of(error)
        if problem.status == 500:
            _log(entry, error)
        response = await _refuse(entry, visit, problem)
        if problem.retry_after_s is not None:
            response.headers["retry-after"] = str(problem.retry_after_s)
    site.metrics.answered(entry.name, response.status_code, perf_counter() - started)
    return response


async def make_body(site: Site, response: Response) -> None:
    """Make the body of *response* in a thread, if it is not made yet."""
    if isinstance(response, LateResponse):
        await get_running_loop().run_in_executor(site.makers, response.make)


async def _handled(visit: Visit, entry: Entry) -> Response:
    """
    Return the response of the route. Reading and making bodies take turns.

    A decision takes none: it may wait for a body or for a callback, and readers would wait as well.
    """
    site = visit.site
    if visit.request.method in _SAFE:
        async with site.turns.turn(visit.limited_as):
            response = await entry.handler(visit)
            await make_body(site, response)
        return response
    check_origin(visit.request)
    response = await entry.handler(visit)
    async with site.turns.turn(visit.limited_as):
        await make_body(site, response)
    return response


async def _refuse(entry: Entry, visit: Visit, problem: Problem) -> Response:
    """Tell it as the route does; in plain words if that fails as well."""
    try:
        response = entry.refuse(visit, problem)
        await make_body(visit.site, response)
        return response
    except Exception as error:
        _log(entry, error)
        return PlainTextResponse("Something went wrong here.", status_code=500)


def _log(entry: Entry, error: Exception) -> None:
    """The class of what went wrong, never its words."""
    hasher = text_hasher()
    review_request_failed(route=as_label(entry.name, hasher), error_type=as_label(type(error).__name__, hasher))
