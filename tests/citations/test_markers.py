"""Markers (ruling B1): which brackets are citations, which ids they have, and where they are."""

import pytest

from groundwire import _engine

IDS = ["1", "2", "3", "4"]


def markers(answer, ids=IDS):
    """Return the text, ids and status of each marker."""
    read = _engine.read_answer(answer, ids).markers
    return [(answer[marker.start : marker.end], marker.ids, marker.status) for marker in read]


@pytest.mark.parametrize(
    ("written", "form", "cited"),
    [
        pytest.param("[1]", "bracket", ("1",), id="one"),
        pytest.param("[1,2]", "bracket", ("1", "2"), id="list"),
        pytest.param("[1, 2; 3]", "bracket", ("1", "2", "3"), id="list-of-two-signs"),
        pytest.param("[1，2、3]", "bracket", ("1", "2", "3"), id="list-of-cjk-signs"),
        pytest.param("[1-3]", "bracket", ("1", "2", "3"), id="range"),
        pytest.param("[1–3]", "bracket", ("1", "2", "3"), id="range-with-en-dash"),
        pytest.param("[1 - 2, 4]", "bracket", ("1", "2", "4"), id="range-in-a-list"),
        pytest.param("[ 1 ]", "bracket", ("1",), id="spaces"),
        pytest.param("[1,\n2]", "bracket", ("1", "2"), id="line-end"),
        pytest.param("[[1]]", "bracket", ("1",), id="doubled"),
        pytest.param("［1］", "bracket", ("1",), id="wide"),
        pytest.param("【1】", "lenticular", ("1",), id="lenticular"),
        pytest.param("【1†source】", "lenticular", ("1",), id="lenticular-with-dagger"),
        pytest.param("[^1]", "footnote", ("1",), id="footnote"),
        pytest.param("[^1, ^2]", "footnote", ("1", "2"), id="footnotes"),
        pytest.param("[source:1]", "source", ("1",), id="source"),
        pytest.param("[Sources: 1, 2]", "source", ("1", "2"), id="sources"),
        pytest.param("[source:1, source:2]", "source", ("1", "2"), id="source-again"),
        pytest.param("[Source 1]", "source", ("1",), id="source-without-a-sign"),
    ],
)
def test_forms_of_citations(written, form, cited):
    """Each form has its ids, with ranges expanded, and the span of its brackets."""
    answer = f"天 So {written}."
    (marker,) = _engine.read_answer(answer, IDS).markers
    assert (marker.form, marker.ids, marker.status) == (form, cited, "valid")
    assert answer[marker.start : marker.end] == written
    assert (marker.valid_ids, marker.invalid_ids) == (cited, ())


def test_neighbours_are_two_markers():
    """`[1][2]` cites twice, even if it could be a link by reference."""
    assert markers("So [1][2].") == [("[1]", ("1",), "valid"), ("[2]", ("2",), "valid")]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("So `[1]` it is.", id="code"),
        pytest.param("```\n[1]\n```", id="fenced-code"),
        pytest.param("~~~\nopen to the end [1]", id="open-fence"),
        pytest.param("So:\n\n    [1] = x\n", id="indented-code"),
        pytest.param("<pre>\n[1]\n</pre>", id="code-in-html"),
        pytest.param("See [1](https://a.example).", id="link"),
        pytest.param("See [the [1] page](https://a.example).", id="inside-a-link"),
        pytest.param("See [a page][docs] and [docs].\n\n[docs]: https://a.example", id="link-by-reference"),
        pytest.param("See ![1](a.png).", id="image"),
        pytest.param("- [ ] open\n- [x] done", id="task-boxes"),
        pytest.param("So.\n\n[^1]: a note [2]", id="footnote-definition"),
        pytest.param("So.\n\n[1]: https://a.example", id="link-definition"),
        pytest.param("See <https://a.example/[1]>.", id="autolink"),
        pytest.param("<!-- [1] -->\n\nSo.", id="comment"),
        pytest.param('See <a title="[1]">it</a>.', id="attribute"),
        pytest.param("So \\[1\\].", id="escaped"),
        pytest.param("So [...] and [] and [ ] and [–].", id="nothing-inside"),
        pytest.param("So [1 and [ and 2.", id="open"),
    ],
)
def test_what_is_no_marker(answer):
    """These brackets have another meaning."""
    assert markers(answer) == []


@pytest.mark.parametrize(
    ("answer", "ids", "status"),
    [
        pytest.param("So [7].", IDS, "invalid", id="looks-like-them"),
        pytest.param("So [1, 7].", IDS, "valid", id="one-of-them"),
        pytest.param("So [sic].", IDS, "ignored", id="a-word"),
        pytest.param("So [p. 7].", IDS, "ignored", id="a-page"),
        pytest.param("So [sic].", ["one"], "invalid", id="a-word-among-words"),
        pytest.param("So [doc-9].", ["doc-1"], "invalid", id="same-shape"),
        pytest.param("So [doc_9].", ["doc-1"], "ignored", id="other-sign"),
        pytest.param("So [9].", ["doc-1"], "ignored", id="other-shape"),
        pytest.param("So [ff00aa11].", ["0f12ab34"], "invalid", id="hash-of-the-same-length"),
        pytest.param("So [3].", [], "invalid", id="no-ids-at-all"),
        pytest.param("So [a].", [], "ignored", id="no-ids-and-a-letter"),
        pytest.param("So [^9].", IDS, "invalid", id="footnote"),
        pytest.param("So [source:web].", IDS, "invalid", id="source-says-that-it-cites"),
        pytest.param("So 【摘要】.", IDS, "ignored", id="lenticular-heading"),
        pytest.param("So [1-5000].", IDS, "ignored", id="range-too-long"),
        pytest.param("So [9-2].", IDS, "ignored", id="range-backwards"),
        pytest.param("Read arr[0] first.", IDS, "ignored", id="subscript-zero"),
        pytest.param("Read row_ids[1] first.", IDS, "ignored", id="subscript-of-an-identifier"),
        pytest.param("Set x[1] = 2 first.", IDS, "ignored", id="subscript-assigned"),
        pytest.param("It boils[7].", IDS, "invalid", id="without-a-space"),
    ],
)
def test_status(answer, ids, status):
    """A valid id is in use, an invalid one looks like the ids in use, an ignored text is no citation."""
    (marker,) = _engine.read_answer(answer, ids).markers
    assert marker.status == status


@pytest.mark.parametrize(
    ("identifier", "written"),
    [
        pytest.param("doc [a]", "[doc [a]]", id="brackets"),
        pytest.param("[x]", "[[x]]", id="brackets-all-around"),
        pytest.param("my file.pdf", "[my file.pdf]", id="space"),
        pytest.param("a,b", "[a,b]", id="comma"),
        pytest.param("a,b", "[a,b; 1]", id="comma-in-a-list"),
        pytest.param("2019-2021", "[2019-2021]", id="range"),
        pytest.param("source:7", "[source:7]", id="prefix"),
        pytest.param("第三章", "【第三章】", id="han"),
        pytest.param("日[1]", "[日[1]]", id="longest-first"),
    ],
)
def test_odd_ids(identifier, written):
    """An id in use is found as written, whatever characters it has, and the longest one wins."""
    read = markers(f"So {written}.", [identifier, "1"])
    assert [(text, cited[0]) for text, cited, _ in read] == [(written, identifier)]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("So [1] it is.\n\n[1]: https://a.example", id="shortcut"),
        pytest.param("So [1][] it is.\n\n[1]: https://a.example", id="collapsed"),
        pytest.param("So [it is][1].\n\n[1]: https://a.example", id="with-words"),
        pytest.param("So [^1] it is.\n\n[^1]: https://a.example", id="footnote"),
    ],
)
def test_links_by_reference_cite(answer):
    """A link whose label is an id in use is a citation; its definition is not."""
    ((_, cited, status),) = markers(answer)
    assert (cited, status) == (("1",), "valid")


def test_the_ranges_of_an_answer_are_limited():
    """At most a hundred thousand ids are expanded; later ranges are ignored."""
    read = _engine.read_answer("[1-1000] " * 150, ["1"]).markers
    assert [marker.status for marker in read] == ["valid"] * 100 + ["ignored"] * 50


def test_repr_contains_no_id():
    """It shows positions and status only."""
    (marker,) = _engine.read_answer("So [secret].", ["secret"]).markers
    assert repr(marker) == "Marker(start=3, end=11, form='bracket', status='valid')"
