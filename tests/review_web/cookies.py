"""Read the cookies that a response sets."""

import re

COOKIE = re.compile(r"^(?P<name>[^=]+)=(?P<value>[^;]*)(?P<rest>.*)$")


def cookies_of(response) -> dict[str, tuple[str, str]]:
    """Return value and attributes of each cookie that a response sets, by name."""
    found = [COOKIE.match(line) for line in response.headers.get_list("set-cookie")]
    return {one["name"]: (one["value"], one["rest"].lower()) for one in found}
