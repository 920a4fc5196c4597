"""Responses whose bodies are made in a thread: making them takes its time, and others are not to wait for it."""

from collections.abc import Callable

from starlette.responses import Response

__all__ = ["LateResponse"]


class LateResponse(Response):
    """
    A response that has its status and headers, and gets its body later.

    Args:
        make: What makes the body; called once, in any thread.
        status_code: Its status.
        media_type: What the body is.
    """

    def __init__(self, make: Callable[[], str], *, status_code: int, media_type: str) -> None:
        super().__init__(status_code=status_code, media_type=media_type)
        self._make = make

    def make(self) -> None:
        """Make the body."""
        self.body = self.render(self._make())
        self.headers["content-length"] = str(len(self.body))
