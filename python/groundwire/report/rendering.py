"""A report as JSON, and its items as JSON lines."""

import json
import re
from collections.abc import Iterable

import msgspec

# Escaped although JSON need not: lone surrogates have no UTF-8 form, and a
# terminal may act on the control characters from U+007F on. Readers get the
# same text either way.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def render_json(report: msgspec.Struct) -> str:
    """Return *report* as one JSON object, indented, fields in the order of the model."""
    # The standard encoder is quick only without an indent; msgspec adds it, and
    # takes a lone surrogate only as it is, not as an escape.
    compact = _encode(report).encode("utf-8", "surrogatepass")
    return f"{_escaped(msgspec.json.format(compact, indent=2).decode('utf-8', 'surrogatepass'))}\n"


def render_jsonl(items: Iterable[msgspec.Struct]) -> str:
    """Return one JSON object a line for each of *items*, as they stand in the JSON report."""
    return "".join(f"{_escaped(_encode(item))}\n" for item in items)


def render_schema(model: type[msgspec.Struct]) -> str:
    """Return the JSON Schema (draft 2020-12) of *model*, indented."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(model)}
    return json.dumps(schema, indent=2) + "\n"


def _encode(struct: msgspec.Struct) -> str:
    """Return *struct* as JSON on one line, with every character that JSON allows as it is."""
    return json.dumps(msgspec.to_builtins(struct), ensure_ascii=False, separators=(",", ":"))


def _escaped(encoded: str) -> str:
    """Return JSON with the unsafe characters inside its strings escaped."""
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", encoded)
