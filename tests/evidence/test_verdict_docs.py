"""The documented examples of differences have their kinds, and the guide lists every option of a policy."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from groundwire.evidence import QuotePolicy, assess_quotes

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "check-quotes-python.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading line, cell by cell."""
    lines = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize(
    ("kind", "quoted", "said"),
    [
        ("punctuation", "well known", "well-known"),
        ("spelling", "evenning", "evening"),
        ("spelling", "15", "fifteen"),
        ("spelling", "5 km", "5 kilometres"),
        ("filler", "uh, something", "something"),
        ("filler", "something you know", "something"),
        ("filler", "a", ""),
        ("word_added", "the house that we saw", "the house we saw"),
        ("word_dropped", "the house we saw", "the house that we saw"),
        ("word_replaced", "which", "that"),
        ("wording", "love", "despise"),
        ("wording", "a mild rash", "a rash"),
        ("wording", "in the morning", "at night"),
        ("number", "50", "15"),
        ("unit", "five kg", "five mg"),
        ("unit", "$5", "€5"),
        ("date", "in June", "in May"),
        ("date", "last year", "this year"),
        ("time", "at 5 p.m.", "at 6 p.m."),
        ("negation", "possible", "impossible"),
        ("negation", "rose", "fell"),
        ("negation", "not", ""),
        ("name", "Mr Keller", "Mr Miller"),
        ("name", "Dr Voss", "Judge Voss"),
        ("modal", "may", "shall"),
        ("modal", "probably", ""),
        ("quantifier", "all", "most"),
        ("quantifier", "only", ""),
        ("quantifier", "at least two", "two"),
        ("quantifier", "about two", "two"),
        ("condition", "if", "although"),
        ("condition", "unless", ""),
        ("condition", "except", ""),
    ],
)
def test_the_examples_of_kinds_are_of_these_kinds(kind, quoted, said):
    """Each example of the table is put into a sentence."""
    sentence = "In a long enough sentence about the garden and the river there is {} to be found and read by anybody"
    verdict = assess_quotes([sentence.format(quoted)], sentence.format(said))[0]
    longer = assess_quotes([sentence.format(quoted)], sentence.format(said) + " who comes along.")[0]
    assert kind in {each.kind for each in (longer if verdict.match is None else verdict).differences}


def test_every_option_of_the_policy_is_in_the_table_with_its_default():
    """The table has all options of a policy."""
    documented = dict.fromkeys(re.findall(r"`(\w+)`", " ".join(cells[0] for cells in table("option"))))
    assert [*documented] == [field.name for field in fields(QuotePolicy)]
    for names, default, _ in table("option"):
        for name in re.findall(r"`(\w+)`", names):
            value = getattr(QuotePolicy(), name)
            expected = {"accept": "exact, normalized, near, elided", "speakers": "anybody"}.get(name, f"`{value}`")
            assert default == expected
