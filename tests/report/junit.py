"""Check JUnit XML against the schema of Ant's JUnit task, the strictest in use: elements, attributes and children."""

import re
from xml.etree import ElementTree

_COUNT, _TIME = r"\d+", r"\d+(?:\.\d+)?"
_ANY, _TOKEN = r"[^\n]*", r"\S(?:[^\n]*\S)?"
_SUITE = {
    "name": _TOKEN,
    "package": _TOKEN,
    "id": _COUNT,
    "timestamp": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d",
    "hostname": _TOKEN,
    "tests": _COUNT,
    "failures": _COUNT,
    "errors": _COUNT,
    "time": _TIME,
}
# For each element: required attributes, optional attributes, and the order of its children.
_ELEMENTS = {
    "testsuites": ({}, {}, "(testsuite )*"),
    "testsuite": (_SUITE, {"skipped": _COUNT}, "properties (testcase )*system-out system-err "),
    "properties": ({}, {}, "(property )*"),
    "property": ({"name": _TOKEN, "value": _ANY}, {}, ""),
    "testcase": ({"name": _ANY, "classname": _ANY, "time": _TIME}, {}, "(failure |error |skipped )?"),
    "failure": ({"type": _ANY}, {"message": _ANY}, ""),
    "error": ({"type": _ANY}, {"message": _ANY}, ""),
    "skipped": ({}, {"message": _ANY}, ""),
    "system-out": ({}, {}, ""),
    "system-err": ({}, {}, ""),
}


def read_junit(text: str) -> ElementTree.Element:
    """Return the root of *text*; an AssertionError names the violation."""
    root = ElementTree.fromstring(text.encode("utf-8"))
    assert root.tag == "testsuites"
    for element in root.iter():
        required, optional, children = _ELEMENTS[element.tag]
        assert required.keys() <= element.attrib.keys() <= required.keys() | optional.keys(), element.tag
        for name, value in element.attrib.items():
            assert re.fullmatch((required | optional)[name], value), (element.tag, name, value)
        assert re.fullmatch(children, "".join(f"{child.tag} " for child in element)), element.tag
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases)
        for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert int(suite.get(name)) == len([case for case in cases if case.find(tag) is not None])
    return root
