"""
No regular expression of the package takes worse than linear time on a text of a user.

Each is proven linear, or is in one of the tables below with what bounds it. A new expression that
is neither fails here. The engine has no regular expressions: its scanners are loops over the text.
"""

import importlib
import re
import re._parser as parser  # type: ignore[import-not-found] # private, untyped
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import groundwire
from groundwire.evidence.differences import mark_pattern
from groundwire.faithfulness.fields import DEFAULT_POLICIES
from groundwire.ingestion.hedges.lexicon import LANGUAGES, load_lexicon
from groundwire.sanitize.redaction import Redactor
from linear_patterns import prove
from patterns_used import Use, inexpressible, uses

# Each is tried at one place in each of the stretches of a text, and they share no character: `match` at a place is no
# search there. Proven as `match` and as `fullmatch`.
ONE_PLACE = {
    "groundwire.evidence.quotations:_AFTER_QUOTE": "behind a quotation that is all of its block",
    "groundwire.evidence.quotations:_REST": "behind the last quotation, up to the next mark",
    "groundwire.evidence.quotations:_SIGNATURE": "at the beginning of the last line of a block quote",
    "groundwire.structured_text:_BEHIND_KEY": "behind a string, up to the next one at most",
    "groundwire.structured_text:_SCALARS": "PyYAML matches the whole of a scalar",
    "groundwire.streaming:_FIRST_WORD": "at the beginning of the last line of a text",
    "groundwire.prose:_QUOTE_SIGN": "behind the one before it, in a line",
    "groundwire.ingestion.statements:_ADJUNCT": "behind a term, up to the next one at most",
    "groundwire.model_output:_AFTER_STRING": "behind a quotation mark, up to the next one at most",
    "groundwire.model_output:_NEXT_VISIBLE": "behind the only object of a text",
}

# Searched in a span of at most this many characters.
FEW_CHARS = {
    "groundwire.evidence.quotations:_REFERENCES": 60,
    "groundwire.documents.web:_CHARSET": 4096,
}

# Linear for a reason that the proof cannot see.
LINEAR_BY_USE = {
    "groundwire.citations.literal:_BRACKET": "the text is cut behind its last `]`, so each `[` finds an end",
    "groundwire.cli.quotes:_FENCED": "a fence with a line end never fails, and a line is compared with one fence",
    "groundwire.structured_text:_TOKENS": "the text is JSON up to the token that ends the reading",
    "groundwire.model_output:_TOKEN": "the first string without an end ends the reading",
}

# Quadratic, and not for text of users.
NOT_FOR_USERS = {
    "groundwire.reference:_TAG": "the printed code of the specification, as an oracle for tests and benchmarks",
    "groundwire.reference:detect_hallucination": "the printed code of the specification, as above",
}

_SAMPLE = "a.b(c) d"


def _hedges() -> Iterable[tuple[str, str]]:
    for name in (*LANGUAGES, "scientific"):
        for entry in load_lexicon(name):
            context = entry.context
            for expression in () if context is None else (*context.only, *context.unless):
                yield expression.right, "match"
                if expression.left:
                    yield rf"(?:{expression.left})\Z", "search"


def _built_at(site: str, *arguments: object) -> str:
    """Return the expression that the function of a site builds and caches, alone or as the last of its results."""
    module, _, name = site.partition(":")
    built = getattr(importlib.import_module(module), name)(*arguments)
    compiled = built[-1] if isinstance(built, tuple) else built
    assert isinstance(compiled, re.Pattern)
    return compiled.pattern


def _redacted() -> Iterable[str]:
    """Return the expressions that a redactor of a secret holds, whatever their names."""
    return [held.pattern for held in vars(Redactor(["a secret: 100%"])).values() if isinstance(held, re.Pattern)]


# The functions without arguments that build an expression, and how it is used.
ALONE = {
    "groundwire.citations.parser:_label": "fullmatch",
    "groundwire.citations.parser:_lead": "match",
    "groundwire.citations.parser:_passage_names": "search",
    "groundwire.evidence.quotations:_token": "search",
    "groundwire.faithfulness.statements:_clause": "search",
    "groundwire.faithfulness.support.cues:_behind_age": "match",
    "groundwire.faithfulness.support.cues:_others": "search",
    "groundwire.ingestion.statements:_pointing": "search",
    "groundwire.unicode_forms:_long_run": "search",
}
FIELDS = "groundwire.faithfulness.fields:_compiled"

# The expressions that are written only when they are needed: what they may be.
BUILT: dict[str, Callable[[], Iterable[tuple[str, str]]]] = {
    "groundwire.bulk.manifest:PartitionRecord.__post_init__": lambda: [(r"part-000001(\.[a-z]+)+", "fullmatch")],
    **{site: lambda site=site, mode=mode: [(_built_at(site), mode)] for site, mode in ALONE.items()},
    # The first place without a field ends the row.
    "groundwire.delimited:_finder": lambda: [
        (_built_at("groundwire.delimited:_finder", each), "match") for each in ",;\t|"
    ],
    "groundwire.evidence.differences:mark_finder": lambda: [
        (mark_pattern(("angle", "braces", "brackets", "parentheses")), "search")
    ],
    "groundwire.onnx_models.runtime:OnnxSession.__init__": lambda: [
        ("|".join(map(re.escape, ("<extra_id_0>", "<pad>", "</s>"))), "search")
    ],
    FIELDS: lambda: [(_built_at(FIELDS, each), "match") for each in (*DEFAULT_POLICIES, "a*b.**.c*d", "a.**.b")],
    "groundwire.faithfulness.support.values:_counted": lambda: [(rf"(?<!\w){re.escape(_SAMPLE)}(?!\w)", "search")],
    "groundwire.ingestion.hedges.lexicon:HedgeExpression._left": _hedges,
    "groundwire.ingestion.hedges.lexicon:HedgeExpression._right": _hedges,
    "groundwire.sanitize.redaction:Redactor.__init__": lambda: [(each, "search") for each in _redacted()],
}

USES = uses()
TABLES = (ONE_PLACE, FEW_CHARS, LINEAR_BY_USE, NOT_FOR_USERS)


def failing(use: Use) -> str:
    """Why *use* is not proven linear; empty if it is."""
    modes = {"match", "fullmatch"} if use.name in ONE_PLACE else use.modes
    proofs = [prove(use.pattern, use.flags, mode) for mode in sorted(modes)]
    return "; ".join(proof.reason for proof in proofs if not proof.is_linear)


def test_each_expression_is_linear_or_says_what_bounds_it():
    """A search restarts at each character: `\\s+$` is quadratic too."""
    listed = {**FEW_CHARS, **LINEAR_BY_USE, **NOT_FOR_USERS}
    found = {use.name: reason for use in USES if use.name not in listed and (reason := failing(use))}
    assert found == {}
    assert len(USES) > 200


def test_the_tables_hold_nothing_that_needs_no_entry():
    """An entry that nothing needs would hide the next expression of that name."""
    as_search = {use.name for use in USES for mode in use.modes if not prove(use.pattern, use.flags, mode).is_linear}
    assert {name for table in TABLES for name in table} == as_search


def test_expressions_that_are_built_are_known():
    """An expression that a function puts together is one of these."""
    assert inexpressible() == sorted(BUILT)


@pytest.mark.parametrize("site", BUILT)
def test_expressions_that_are_built_are_linear(site):
    """Each with the words and marks that it is built from."""
    built = {*BUILT[site]()}
    assert built
    assert {(pattern, mode) for pattern, mode in built if not prove(pattern, re.IGNORECASE, mode).is_linear} == set()


def test_the_expressions_of_hedges_see_a_few_characters():
    """They are tried at each cue of a claim, so that one that sees the whole claim is quadratic."""
    widths = {pattern: parser.parse(pattern).getwidth()[1] for pattern, _ in _hedges()}
    assert {pattern: width for pattern, width in widths.items() if width > 150} == {}


def test_the_scripts_of_the_pages_have_no_regular_expressions():
    """Those of the pages' own; the vendored htmx sees attributes that the package writes."""
    scripts = [each for each in Path(groundwire.__path__[0]).rglob("*.js") if "vendor" not in each.parts]
    assert scripts
    for script in scripts:
        assert not re.search(
            r"RegExp|\.(?:match|matchAll|replace|replaceAll|test|split|search)\(\s*/", script.read_text()
        )


@pytest.mark.parametrize(
    ("pattern", "mode", "is_linear"),
    [
        (r"\s+", "search", True),
        (r"\s+$", "search", False),
        (r"\s+$", "match", True),
        (r"^\s*x", "search", True),
        (r"(?m)^\s*x", "search", False),
        (r"(?m)^[ ]*x", "search", True),
        (r"[ \t]*(?:\r\n|\n)", "search", False),
        (r"(?<![ \t])[ \t]*(?:\r\n|\n)", "search", True),
        (r"\w+@", "search", False),
        (r"\b\w+@", "search", True),
        (r"(?<!\w)\w++@", "search", True),
        (r'"[^"]*"', "search", True),
        (r"\[[^\]]*\]", "search", False),
        (r"\[[^\[\]]*\]", "search", True),
        (r"(?s)<t>(.*?)(</t>|\Z)", "search", True),
        (r"<t>(.*?)(</t>|\Z)", "search", False),
        (r"(?:b*c)?", "search", False),
        (r"\d+(?: \d+)*(?!\d)", "search", True),
        (r"a*a*", "match", True),
        (r"a*a*b", "match", False),
        (r"a*+a*b", "match", True),
        (r"(a*)*b", "match", False),
        (r"(?:a|a)*b", "match", False),
        (r"(?:a|ab|b)*c", "match", False),
        (r"(?:\w+\s?)*x", "match", False),
        (r"(?:\w+\s)*x", "match", True),
        (r"(x+x+)+y", "match", False),
        (r"\w*\d*", "fullmatch", False),
        (r"(?=\w+)\d", "search", False),
        (r"a{2,}b", "search", False),
        (r"a{2,50}b", "search", True),
        (r"\n(?:[^\S\n]*+\n)++", "search", True),
        (r"(?i)É*é*x", "match", False),
    ],
)
def test_the_proof_tells_linear_from_worse(pattern, mode, is_linear):
    """Known pairs of expressions that differ in a character or two."""
    assert prove(pattern, 0, mode).is_linear is is_linear
