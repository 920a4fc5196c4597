"""normalize() in the profile of the specification, against the specification's own Python."""

import json
import re
import unicodedata

import pytest
from hypothesis import example, given, settings

from effort import effort, examples
from groundwire import UNICODE_VERSION, Source, build_info, normalize
from groundwire.reference import normalize_for_quote_match
from oracles.texts import NASTY, nasty_texts

CODE_POINTS = 0x110000
BATCH = 2048


def version(text: str) -> tuple[int, ...]:
    """Return a version number that can be compared."""
    return tuple(map(int, text.split(".")))


follows_python = pytest.mark.skipif(
    version(unicodedata.unidata_version) > version(UNICODE_VERSION),
    reason="this Python knows characters that the engine's tables do not have (ruling A5)",
)


def assert_as_reference(*texts: str) -> None:
    """Check that all texts equal the reference; the first difference is shown in ASCII."""
    wrong = next((text for text in texts if normalize(text) != normalize_for_quote_match(text)), None)
    assert wrong is None, ascii(wrong)


@follows_python
@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("x", "Y|", id="between-letters"),
        pytest.param("x", "\u0301|", id="before-an-accent"),
        pytest.param(" A", "\u03a3 A\u03a3", id="around-a-capital-sigma"),
    ],
)
def test_every_code_point_in_context_is_the_references(before, after):
    """Rulings A4 and A5: this covers the whole code space, in batches that are split at a difference."""
    for first in range(0, CODE_POINTS, BATCH):
        texts = [f"{before}{chr(code)}{after}" for code in range(first, first + BATCH)]
        batch = "".join(texts)
        if normalize(batch) != normalize_for_quote_match(batch):
            assert_as_reference(*texts, batch)


@follows_python
def test_every_code_point_alone_is_the_references():
    """Rulings A4 and A5: the character is then both the first and the last."""
    wrong = [hex(code) for code in range(CODE_POINTS) if normalize(chr(code)) != normalize_for_quote_match(chr(code))]
    assert wrong == []


@follows_python
@settings(max_examples=examples(1000))
@given(nasty_texts)
@example("\u1100\u1161\u11a8\u11a8\u1161")
@example("\ud800\u0301\udfff")
@example("\u0f71\u0f72\u0f74\u0f71")
def test_any_text_is_the_references(text):
    """Ruling A4: marks, jamo, tags, expansions, white space, surrogates, in any order."""
    assert normalize(text) == normalize_for_quote_match(text)


@pytest.mark.parametrize("filler", ["x", "X ", "\u0416", "\u4e2d", "\U00010428"], ids=ascii)
@pytest.mark.parametrize("right", [0, 1, 31, 32, 33, 70])
def test_no_chunk_border_changes_a_result(filler, right):
    """Special characters are put at every position of the blocks that the engine copies at once."""
    for left in range(71):
        for part in NASTY:
            text = (filler * left)[:left] + part + filler * right
            assert normalize(text) == normalize_for_quote_match(text), ascii((left, part))


@pytest.mark.parametrize("left", range(2**16 - 3, 2**16 + 2))
def test_no_step_border_changes_a_result(left):
    """The same holds at the end of the 65,536 characters that the engine reads between two checks for signals."""
    for part in NASTY:
        # No character depends on more than the text back to the previous letter.
        expected = "x" * (left - 1) + normalize_for_quote_match(f"x{part}z")
        assert normalize("x" * left + part + "z") == expected, ascii(part)


@given(nasty_texts)
def test_a_source_is_normalised_as_by_normalize(text):
    """The pass that records offsets writes the same text as the pass without."""
    assert Source(text).normalized == normalize(text)


@follows_python
def test_every_real_document_is_the_references(shared_data):
    """Ruling R0: transcripts, novels and protocols in 27 languages; the short form takes every third of them."""
    documents = sorted((shared_data / "corpora").glob("*.txt"))[:: effort(3, 1)]
    wrong = []
    for path in documents:
        text = path.read_bytes().decode("utf-8")
        if normalize(text) != normalize_for_quote_match(text):
            wrong.append(path.name)
    assert wrong == []
    assert len(documents) > effort(40, 100)


@pytest.fixture(scope="module")
def conformance_rows(shared_data) -> list[list[str]]:
    """Return the rows of Unicode's NormalizationTest.txt: source, NFC, NFD, NFKC, NFKD."""
    lines = (shared_data / "unicode" / "NormalizationTest-15.0.txt").read_text(encoding="utf-8").splitlines()
    columns = [line.partition("#")[0].split(";")[:5] for line in lines if line[:1] not in "#@" and line]
    return [["".join(chr(int(code, 16)) for code in column.split()) for column in row] for row in columns]


@follows_python
def test_unicodes_conformance_rows_are_the_references(conformance_rows):
    """Ruling A5: all five columns of every row of NormalizationTest 15.0."""
    assert len(conformance_rows) > 10_000
    for row in conformance_rows:
        assert_as_reference(*row)


def test_the_forms_of_one_text_are_one(conformance_rows):
    """NFKC comes first (ruling A4): NFC, NFD, NFKC and NFKD of a text known to this Python are normalised alike."""
    known = [row for row in conformance_rows if all(unicodedata.category(character) != "Cn" for character in row[0])]
    assert [ascii(row[0]) for row in known if len({normalize(form) for form in row}) != 1] == []


def test_unicodes_conformance_rows_have_the_recorded_form(shared_data):
    """The record is the reference's result under Unicode 15, for the characters that this Python knows."""
    lines = (shared_data / "unicode" / "normtest_expected.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    known = [row for row in rows if all(unicodedata.category(character) != "Cn" for character in row["c1"])]
    assert [ascii(row["c1"]) for row in known if normalize(row["c1"]) != row["norm"]] == []
    assert len(known) > 10_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("<" * 10**6, "<" * 10**6, id="opening-brackets"),
        pytest.param("<a" * 10**5, "<a" * 10**5, id="tags-never-closed"),
        pytest.param("<a" * 10**5 + ">", "", id="one-tag-of-all"),
        pytest.param("x>" * 10**5, "x>" * 10**5, id="closing-brackets"),
        pytest.param("a" + "\u0301" * 10**6, "\u00e1" + "\u0301" * (10**6 - 1), id="accents-on-one-letter"),
        pytest.param("a" + "\u0301\u0323" * 10**5, "\u1ea1" + "\u0323" * (10**5 - 1) + "\u0301" * 10**5, id="sorted"),
        pytest.param("\ufdfa" * 10**5, unicodedata.normalize("NFKC", "\ufdfa") * 10**5, id="eighteen-for-one"),
        pytest.param("\u03a3" * 10**6, "\u03c3" * (10**6 - 1) + "\u03c2", id="capital-sigmas"),
        pytest.param("\u03a3" + "'" * 10**6, "\u03c3" + "'" * 10**6, id="sigma-before-ignorables"),
        pytest.param("A\u03a3" + "'" * 10**6 + "b", "a\u03c3" + "'" * 10**6 + "b", id="letter-far-behind-a-sigma"),
        pytest.param(" \u200b" * 10**6, "", id="blank"),
        pytest.param("\u1100\u1161\u11a8" * 10**5, "\uac01" * 10**5, id="jamo"),
    ],
)
def test_hostile_text_has_the_expected_form(text, expected):
    """Ruling A4 on texts for which the reference takes quadratic time: it does not run."""
    assert normalize(text) == expected


@pytest.mark.parametrize(
    ("code", "added", "normalized"),
    [
        pytest.param(0x1E030, "15.0", "\u0430", id="modifier-letter-15.0"),
        pytest.param(0xA7CB, "16.0", "\u0264", id="capital-ram-s-horn-16.0"),
        pytest.param(0x1C89, "16.0", "\u1c8a", id="capital-tje-16.0"),
        pytest.param(0x10D50, "16.0", "\U00010d70", id="garay-capital-16.0"),
        pytest.param(0xA7CE, "17.0", "\ua7cf", id="capital-pharyngeal-17.0"),
        pytest.param(0x16EA0, "17.0", "\U00016ebb", id="beria-erfe-capital-17.0"),
    ],
)
def test_characters_unknown_to_this_python_are_not_changed(code, added, normalized):
    """Ruling A5: a character counts if the running Python's Unicode version has it."""
    is_known = version(unicodedata.unidata_version) >= version(added)
    assert normalize(f"x{chr(code)}") == "x" + (normalized if is_known else chr(code))


def test_the_unicode_version_is_reported():
    """Ruling A5: the engine reports the version of its tables, and the one that it follows."""
    info = build_info()
    assert re.fullmatch(r"\d+\.\d+\.\d+", UNICODE_VERSION)
    assert (info["unicode_version"], info["python_unicode_version"]) == (UNICODE_VERSION, unicodedata.unidata_version)


def test_the_engine_carries_a_unicode_version_of_any_supported_python():
    """Ruling A5: Python 3.11 has Unicode 14.0, Python 3.14 has 16.0."""
    assert version(UNICODE_VERSION) >= (16, 0)


@pytest.mark.parametrize("profile", ["Spec", "", "none", "\ud800"])
def test_an_unknown_profile_is_refused(profile):
    """The message lists the known profiles."""
    with pytest.raises(ValueError, match="profile must be 'spec' or 'typographic'"):
        normalize("text", profile=profile)


@pytest.mark.parametrize("text", [None, b"text", 3, ["text"]], ids=repr)
def test_only_a_str_is_normalised(text):
    """The message names parameter and type."""
    with pytest.raises(TypeError, match=f"text must be a str, got {type(text).__name__}"):
        normalize(text)
