"""
Renders the Jinja2 templates of the package, which escape all text and spell out hidden characters.

The suffix of a template selects the escaping: `.html.j2` for attributes and text between tags, `.md.j2` for Markdown
prose on one line, `.xml.j2` for XML on one line. Filters override it: `shown` marks hidden characters in HTML, `code`
makes a Markdown code span, `text` keeps the lines of XML text, and `exact` keeps every character of a form's text.
Others write values: `timestamp` shows a time in UTC, `number` a number with commas, and `plural` a count with its noun.
An undefined name is an error. Jinja2 is loaded with the first template.
"""

import html
import re
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from groundwire.labels import plural
from groundwire.sanitize import (
    hidden_characters,
    one_line,
    replace_hidden,
    sanitize,
    spelled_out,
    without_hidden,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["attribute", "code_span", "format_timestamp", "markup", "prose", "render", "safe"]

_LINE_END = re.compile(r"\r\n|\r")
_BACKTICKS = re.compile("`+")


def render(package: str, template: str, values: dict[str, Any]) -> str:
    """
    Return a template of *package*, filled with *values*.

    Raises:
        jinja2.UndefinedError: The template uses a name that *values* does not have.
    """
    return _environment(package, template.split(".")[-2]).get_template(template).render(values)


def markup(text: str) -> str:
    """
    Return *text* for use between tags.

    Line ends become LF, as a browser would read them. Hidden characters are written
    as `\\x1b` inside `<span class="hidden">`, so that nobody takes them for a backslash
    of the text.
    """
    # Characters that HTML escapes are never hidden, and do not affect whether their neighbours are.
    escaped = html.escape(_LINE_END.sub("\n", text))
    return replace_hidden(escaped, lambda character: f'<span class="hidden">{spelled_out(character)}</span>')


def attribute(text: str) -> str:
    """Return *text* for use between the double quotes of an attribute."""
    return html.escape(sanitize(text))


def prose(text: str) -> str:
    """Return *text* on one line for use in Markdown, outside of code spans."""
    return html.escape(one_line(text), quote=False)


def code_span(text: str) -> str:
    """Return *text* on one line as a Markdown code span that nothing inside can end."""
    line = one_line(text)
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(line)), default=0))
    # Markdown drops one space at each end, so a text that begins or ends with a backtick or a space needs one more.
    pad = " " if not line.strip() or line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else "*(empty)*"


def format_timestamp(time: datetime) -> str:
    """Return *time* in UTC, to the minute."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def safe(text: str) -> "Markup":
    """Mark *text*, which is already escaped or a file of the package, as safe."""
    from markupsafe import Markup

    return Markup(text)


@cache
def _environment(package: str, form: str) -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    write = _WRITERS[form]

    def finalize(value: object) -> object:
        return Markup(write(value)) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        # Templates of the package do not change while they are in use.
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=finalize,
    )
    filters: dict[str, Callable[..., object]] = {
        "shown": lambda text: Markup(markup(text)),
        "number": lambda number: f"{number:,}",
        "plural": plural,
        "code": lambda text: safe(code_span(text)),
        "text": lambda text: safe(html.escape(sanitize(text), quote=False)),
        "exact": lambda text: safe(html.escape(text)),
        "timestamp": format_timestamp,
        "hidden": hidden_characters,
        "without_hidden": without_hidden,
    }
    environment.filters |= filters
    return environment


def _xml(text: str) -> str:
    return html.escape(one_line(text), quote=False).replace('"', "&quot;")


_WRITERS: "dict[str, Callable[[str], str]]" = {
    "html": attribute,
    "md": prose,
    "xml": _xml,
}
