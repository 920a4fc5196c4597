"""A calibration as text, Markdown, JSON and a picture."""

import json
import xml.etree.ElementTree as ET

import pytest

from groundwire.calibration import calibrate, draw, render_json, render_markdown, render_text

SVG = "{http://www.w3.org/2000/svg}"
SCORES = [1.0, 0.9, 0.8, 0.86, 0.3, 0.2]
LABELS = [True, True, True, False, False, False]


def made(scores=SCORES, labels=LABELS, **options):
    """A calibration of policy fuzzy."""
    return calibrate(scores, labels, policy="fuzzy", **options)


def test_text_has_recommendation_sample_and_table():
    """The recommended threshold has a line though it is no round number."""
    text = render_text([made(max_false_accept=0.1)])
    assert text == (
        "policy fuzzy\n"
        "Recommended threshold: 0.87, the lowest that accepts at most 10 % of the false quotes.\n"
        "3 false and 3 true quotes stand behind it.\n"
        "They are too few to be sure: the true rate may be up to 56.1 %. "
        "It takes 35 false quotes, none of them accepted, to show 10 %.\n"
        "\n"
        "threshold  false quotes accepted   true quotes rejected\n"
        + "".join(f"{t:.2f}       33.3 % (6.1–79.2; 1/3)  0.0 % (0.0–56.1; 0/3)\n" for t in (0.5, 0.55, 0.6, 0.65, 0.7))
        + "".join(f"{t:.2f}       33.3 % (6.1–79.2; 1/3)  0.0 % (0.0–56.1; 0/3)\n" for t in (0.75, 0.8))
        + "0.85       33.3 % (6.1–79.2; 1/3)  33.3 % (6.1–79.2; 1/3)\n"
        + "".join(f"{t}0.0 % (0.0–56.1; 0/3)   33.3 % (6.1–79.2; 1/3)\n" for t in ("0.87*      ", "0.90       "))
        + "".join(f"{t}       0.0 % (0.0–56.1; 0/3)   66.7 % (20.8–93.9; 2/3)\n" for t in ("0.95", "1.00"))
        + "\nRates: share (95 % Wilson interval; count/all). * the recommended threshold.\n"
    )


@pytest.mark.parametrize(
    ("sentence", "scores", "labels"),
    [
        (
            "No threshold accepts at most 1 % of the false quotes: at 1.00 it is 100.0 % (20.7–100.0; 1/1).",
            [1.0],
            [False],
        ),
        ("No recommendation: no quote is labelled false, 1 are labelled true.", [1.0], [True]),
        ("400 false and 0 true quotes stand behind it.\n\n", [0.1] * 400, [False] * 400),
    ],
)
def test_what_cannot_be_recommended_is_said(sentence, scores, labels):
    """No threshold reaches it, nothing was there to tell from, or all is well and there is no doubt to add."""
    assert sentence in render_text([made(scores, labels)])


def test_markdown_has_a_section_for_each_policy():
    """With a table that renders."""
    page = render_markdown([made(max_false_accept=0.1), calibrate(SCORES, LABELS, policy="guarded")])
    assert page.count("\n## Policy `") == 2
    assert "| threshold | false quotes accepted | true quotes rejected |\n| ---: | --- | --- |\n| 0.50 | 33.3" in page
    assert "| 0.87* |" in page


def test_json_has_every_threshold():
    """Numbers, for programs; no share of nothing."""
    (found,) = json.loads(render_json([made([1.0], [True])]))["calibrations"]
    assert (found["policy"], found["outcome"], found["recommended_threshold"]) == ("fuzzy", "no_false_quotes", None)
    assert [point["threshold"] for point in found["points"]] == [hundredths / 100 for hundredths in range(50, 101)]
    assert found["points"][0]["false_accepts"] == {"count": 0, "total": 0, "share": None, "interval": [0.0, 1.0]}


def test_picture_says_in_words_what_it_shows():
    """Title, description, labels; each line has strokes and markers of its own, not only a colour."""
    root = ET.fromstring(draw([made(max_false_accept=0.1)]))
    assert root.get("role") == "img"
    named = {element.get("id"): element.text for element in root if element.get("id")}
    assert root.get("aria-labelledby").split() == [*named]
    assert "Recommended threshold: 0.87" in named["description"]
    labels = [element.text for element in root.iter(f"{SVG}text")]
    assert {"false quotes accepted", "true quotes rejected", "threshold", "0.87", "100 %", "share of these quotes"} <= {
        *labels
    }
    lines = [path for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]
    assert [line.find(f"{SVG}title").text for line in lines] == ["false quotes accepted", "true quotes rejected"]
    assert len({line.get("stroke-dasharray") for line in lines}) == 2
    markers = {path.get("d") for path in root.iter(f"{SVG}path") if path.get("transform")}
    assert len(markers) == 2


def test_no_band_lies_over_a_line():
    """Bands are let through, but would dull what is drawn before them."""
    paths = [*ET.fromstring(draw([made(max_false_accept=0.1)])).iter(f"{SVG}path")]
    bands = [place for place, path in enumerate(paths) if path.get("fill-opacity")]
    lines = [place for place, path in enumerate(paths) if path.find(f"{SVG}title") is not None]
    assert (len(bands), len(lines)) == (2, 2)
    assert max(bands) < min(lines)


def test_line_goes_through_the_rates():
    """The first point of the line is at threshold 0.5, a third of the way up."""
    root = ET.fromstring(draw([made()]))
    line = next(path for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None)
    places = [tuple(map(float, place.split(","))) for place in line.get("d")[1:].split("L")]
    assert len(places) == 51
    (left, first), (right, last) = places[0], places[-1]
    assert (left, right) == (70, 696)
    # 0 % is at 342, 100 % at 92.
    assert (first, last) == (pytest.approx(342 - 250 / 3, abs=0.1), 342)


def test_picture_without_false_quotes_has_no_line_for_them():
    """Nothing is drawn of nothing; a panel for each policy."""
    root = ET.fromstring(draw([made([1.0], [True]), calibrate([1.0], [True], policy="<&>")]))
    titles = [path.find(f"{SVG}title").text for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]
    assert titles == ["true quotes rejected"] * 2
    assert root.get("viewBox") == "0 0 720 800"
    assert "policy <&>: no threshold recommended" in [element.text for element in root.iter(f"{SVG}text")]
