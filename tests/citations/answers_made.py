"""
Generate answers as language models write them, and stranger ones, from plain Markdown that two parsers read alike.
"""

from hypothesis import strategies as st

WORDS = [
    *(
        "The river is long",
        "It flows north. ",
        "In 2020 ",
        "Dr. Lee said ",
        "and so on, ",
        "水很多。",
        "e.g. ",
        "U.S. ",
    ),
    *("I could not find it. ", "I'm glad ", "I’ve a river ", "I Am ", "Some of them are:", "有些是这样的：\n"),
    *("“He is. She was.” ", "(See below.) ", '"Why?" ', ". ", ".", "! ", "…", "snow\\. ", "cost \\$5 "),
]
MARKUP = [
    *("**bold words** ", "~~gone~~ ", "`code[1]` ", "`a. B` ", "[the docs](http://x.y/z) ", "[1](u) "),
    *("![a pic](p.png) ", "see <https://a.b/c> ", "so <b>it</b> is ", "not \\[1\\] "),
]
CITATIONS = [
    *(
        "[1]",
        "[2] ",
        " [1, 2; 3] ",
        "[1][2]",
        "[1-3] ",
        "[2–9]. ",
        "【1】",
        "【2†source】",
        "[^1] ",
        "[^9] ",
        "[source:1] ",
    ),
    *("[Source 2] ", "[sources: 1, x] ", "[99] ", "[[1]] ", "[doc-3] ", "[doc [a]] ", "[a,b] ", "[a,b, 1] ", "[0] "),
    *("[ab12cd34] ", "[ff00aa11] ", "［1］", "[1]. [2] ", ".[1] ", "。[1]", '."[2] '),
]
BRACKETS = [
    *("[sic] ", "[...] ", "arr[0] ", "row_ids[1] ", "x[1] = 2 ", "[1-5000] ", "[9-2] ", "【摘要】", "[] ", "[p. 5] "),
    *("[text][1] ", "[text][2] ", "[1][foo] ", "[foo] ", "[ ] ", "a]b ", "[1,\n2] "),
]
BLOCKS = [
    *("{}", "{}\n{}", "- {}", "* {}\n* {}", "- [ ] {}", "- [x] {}", "1. {}\n2. {}", "2) {}", "# {}", "> {}\n> {}"),
    *("| {} | {} |\n|---|---|\n| {} | {} |\n| {} | [1] |", "```\n{}\n```", "~~~\n{}\n~~~", "{}\n\n[1]", "{}\r\n{}"),
    *("[^1]: {}", "[1]: http://a.b/c", "[foo]: http://a.b/c", "<p>{}</p>", "<pre>{}</pre>", "---", "- {}\n  - {}"),
]
IDS = [["1", "2", "3"], [], ["1", "2", "doc-1", "doc [a]", "a,b"], ["0f12ab34", "9c88ee01"], ["doc-1", "source 2"]]

# Each begins with a word, so that no segment starts a block.
_line = st.lists(st.sampled_from(WORDS + MARKUP + CITATIONS + BRACKETS), max_size=7).map(
    lambda pieces: "So " + "".join(pieces).replace("\n", " ").strip()
)
_cited = st.sampled_from(["[1]", "[1][2]", "[2] and more.", "Short."])


@st.composite
def _block(draw: st.DrawFn) -> str:
    template = draw(st.sampled_from(BLOCKS))
    inside = [draw(_line | _cited) for _ in range(template.count("{}"))]
    return template.format(*inside)


ids_in_use = st.sampled_from(IDS)
# The parsers disagree on whether `[1]` before an empty label, `[1][ ]`, is a link.
markdown_answers = (
    st.lists(_block(), min_size=1, max_size=5).map("\n\n".join).filter(lambda answer: "][ ]" not in answer)
)
# Without markup, so that the engine needs no parser.
plain_answers = st.lists(
    st.lists(st.sampled_from(WORDS[:-2] + CITATIONS + BRACKETS), max_size=9).map(
        lambda pieces: "So " + "".join(pieces).strip().replace("row_ids", "rows")
    ),
    min_size=1,
    max_size=3,
).map("\n\n".join)
