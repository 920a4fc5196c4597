"""Calibrations rendered as text, Markdown, JSON and SVG."""

import json
import xml.etree.ElementTree as ET

import pytest

from groundwire.calibration import calibrate, render

SVG = "{http://www.w3.org/2000/svg}"
SCORES = [1.0, 0.9, 0.8, 0.86, 0.3, 0.2]
LABELS = [True, True, True, False, False, False]


def made(scores=SCORES, labels=LABELS, **options):
    """Return a calibration of the policy fuzzy."""
    return calibrate(scores, labels, policy="fuzzy", **options)


def test_text_has_recommendation_sample_and_table():
    """The recommended threshold has a row even between the steps of the table."""
    text = render([made(max_false_accept=0.1)], "text")
    assert text == (
        "policy fuzzy\n"
        "Recommended threshold: 0.87, the lowest that accepts at most 10 % of the false quotes.\n"
        "Based on 3 false and 3 true quotes.\n"
        "The sample is too small to be sure: the true rate may be as high as 56.1 %. "
        "To show 10 %, it takes 35 false quotes of which none is accepted.\n"
        "\n"
        "threshold  false quotes accepted   true quotes rejected\n"
        + "".join(f"{t:.2f}       33.3 % (6.1–79.2; 1/3)  0.0 % (0.0–56.1; 0/3)\n" for t in (0.5, 0.55, 0.6, 0.65, 0.7))
        + "".join(f"{t:.2f}       33.3 % (6.1–79.2; 1/3)  0.0 % (0.0–56.1; 0/3)\n" for t in (0.75, 0.8))
        + "0.85       33.3 % (6.1–79.2; 1/3)  33.3 % (6.1–79.2; 1/3)\n"
        + "".join(f"{t}0.0 % (0.0–56.1; 0/3)   33.3 % (6.1–79.2; 1/3)\n" for t in ("0.87*      ", "0.90       "))
        + "".join(f"{t}       0.0 % (0.0–56.1; 0/3)   66.7 % (20.8–93.9; 2/3)\n" for t in ("0.95", "1.00"))
        + "\nRates: share (95 % Wilson interval; count/total). * marks the recommended threshold.\n"
    )


@pytest.mark.parametrize(
    ("sentence", "scores", "labels"),
    [
        (
            "No threshold accepts at most 1 % of the false quotes: the rate at 1.00 is 100.0 % (20.7–100.0; 1/1).",
            [1.0],
            [False],
        ),
        ("No recommendation: none of the 1 labelled quotes is labelled false.", [1.0], [True]),
        ("Based on 400 false and 0 true quotes.\n\n", [0.1] * 400, [False] * 400),
    ],
)
def test_text_says_whether_the_recommendation_is_reliable(sentence, scores, labels):
    """No threshold is good enough, no label is false, or the sample is large enough."""
    assert sentence in render([made(scores, labels)], "text")


def test_markdown_has_a_section_for_each_policy():
    """Each has a table."""
    page = render([made(max_false_accept=0.1), calibrate(SCORES, LABELS, policy="guarded")], "markdown")
    assert page.count("\n## Policy `") == 2
    assert "| threshold | false quotes accepted | true quotes rejected |\n| ---: | --- | --- |\n| 0.50 | 33.3" in page
    assert "| 0.87* |" in page


def test_json_has_every_threshold():
    """The share of an empty sample is null."""
    plain = json.loads(render([made([1.0], [True])], "json"))
    assert plain["schema_version"] == "1"
    (found,) = plain["calibrations"]
    assert (found["policy"], found["outcome"], found["recommended_threshold"]) == ("fuzzy", "no_false_quotes", None)
    assert [point["threshold"] for point in found["points"]] == [hundredths / 100 for hundredths in range(50, 101)]
    assert found["points"][0]["false_accepts"] == {"count": 0, "total": 0, "share": None, "interval": [0.0, 1.0]}


def test_svg_has_a_description_and_does_not_rely_on_colour():
    """Lines differ in dashes and markers as well."""
    root = ET.fromstring(render([made(max_false_accept=0.1)], "svg"))
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


def test_svg_draws_bands_before_lines():
    """A band over a line would dull it."""
    paths = [*ET.fromstring(render([made(max_false_accept=0.1)], "svg")).iter(f"{SVG}path")]
    bands = [place for place, path in enumerate(paths) if path.get("fill-opacity")]
    lines = [place for place, path in enumerate(paths) if path.find(f"{SVG}title") is not None]
    assert (len(bands), len(lines)) == (2, 2)
    assert max(bands) < min(lines)


def test_svg_lines_go_through_the_rates():
    """The first point is at threshold 0.5 and a rate of one third."""
    root = ET.fromstring(render([made()], "svg"))
    line = next(path for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None)
    places = [tuple(map(float, place.split(","))) for place in line.get("d")[1:].split("L")]
    assert len(places) == 51
    (left, first), (right, last) = places[0], places[-1]
    assert (left, right) == (70, 696)
    # 0 % is at 342, 100 % at 92.
    assert (first, last) == (pytest.approx(342 - 250 / 3, abs=0.1), 342)


def test_svg_without_false_quotes_has_no_line_for_them():
    """Each policy has a panel."""
    root = ET.fromstring(render([made([1.0], [True]), calibrate([1.0], [True], policy="<&>")], "svg"))
    titles = [path.find(f"{SVG}title").text for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]
    assert titles == ["true quotes rejected"] * 2
    assert root.get("viewBox") == "0 0 720 800"
    assert "policy <&>: no threshold recommended" in [element.text for element in root.iter(f"{SVG}text")]
