"""The types of bodies."""

import pytest

msgspec = pytest.importorskip("msgspec", reason="no msgspec: pip install 'groundwire[review]'")

from groundwire.http_server.openapi import RequestBody, ResponseBody


class Submission(RequestBody):
    """A body with a text."""

    content: str
    limit: int = 3


class Answer(ResponseBody):
    """A body with other bodies."""

    found: list[Submission]


def test_a_body_shows_no_text():
    """Its `repr` has lengths in place of texts and lists, and shows numbers."""
    submission = Submission("the secret text")
    assert repr(submission) == "Submission(content=<15 characters>, limit=3)"
    assert repr(Answer([submission])) == "Answer(found=<1>)"


def test_a_request_has_no_unknown_fields():
    """A field that nobody reads is an error, not ignored."""
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(b'{"content": "a", "surplus": 1}', type=Submission)
