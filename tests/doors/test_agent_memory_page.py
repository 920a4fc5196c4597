"""The examples of the page on agent memories run with the real packages."""

import re
from pathlib import Path

from libraries import need

need("langgraph.store", lane="doors")
need("mem0", lane="doors")

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "agent-memory.md"
BLOCKS = re.findall(r"^```py\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)


class Memory:
    """Has the methods of mem0 that its example calls, to keep mem0's own settings out of this test."""

    def __init__(self):
        self.texts = []

    def get_all(self, *, filters, top_k):
        return {"results": []}

    def add(self, messages, **options):
        self.texts += [message["content"] for message in messages]
        return {"results": [{"id": "1"}]}


def test_the_examples_do_what_the_page_says(tmp_path, monkeypatch, capsys):
    """Each has at most ten lines; they share their names, as on the page."""
    monkeypatch.chdir(tmp_path)
    names = {"memory": Memory()}
    for block in BLOCKS:
        assert len([line for line in block.splitlines() if line]) <= 10
        exec(compile(block, str(PAGE), "exec"), names)
    assert names["inner"].get(("memories", "anna"), "tea").value == {"content": "Anna prefers tea to coffee"}
    assert names["memory"].texts == ["Anna prefers tea to coffee"]
    assert capsys.readouterr().out == "1 of 1 memory refused (personal_speculation); nothing was written\n"
    assert len(BLOCKS) == 3
