"""Quotations in prose: passages with their spans, and text that only resembles them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import effort
from groundwire.evidence import quotes_in


def passages(text: str, **options) -> list[str]:
    """Return the quoted passages alone."""
    return [span.text for span in quotes_in(text, **options)]


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        pytest.param(["I can't sleep"], 'She said "I can\'t sleep" twice.', id="english-straight"),
        pytest.param(["I can’t sleep,"], "“I can’t sleep,” she said.", id="english-curly"),
        pytest.param(["Yes,", "I’m ‘fine’", "fine"], "‘Yes,’ he said. “I’m ‘fine’”", id="english-single-and-nested"),
        pytest.param(["Bonjour"], "Il dit : «\u00a0Bonjour\u00a0».", id="french-no-break-spaces"),
        pytest.param(["Bonjour", "Oui"], "« Bonjour », puis « Oui ».", id="french-plain-spaces"),
        pytest.param(["a « b » c", "b"], "« a « b » c »", id="french-nested"),
        pytest.param(["L’amour ‹ fou › dure", "fou"], "«L’amour ‹ fou › dure»", id="french-single-inside"),
        pytest.param(["bonjour"], 'Il dit " bonjour " et part.', id="straight-with-spaces"),
        pytest.param(["Hallo", "Tschüss"], "»Hallo« und »Tschüss«", id="german-reversed"),
        pytest.param(["Hallo", "Tschüss"], "„Hallo“, rief er, „Tschüss“", id="german-low"),
        pytest.param(["Er sagte ‚ja‘ dazu", "ja"], "„Er sagte ‚ja‘ dazu“", id="german-nested"),
        pytest.param(["Hallo"], '„Hallo", rief er', id="german-typed-with-a-straight-end"),
        pytest.param(["Hej", "nej"], "”Hej” sade han. ’nej’", id="swedish"),
        pytest.param(["Hei", "Moi"], "»Hei», hän sanoi, »Moi»", id="finnish"),
        pytest.param(["Cześć", "pa"], "„Cześć”, «pa»", id="polish"),
        pytest.param(["Ik kom ’s avonds", "ja"], "‘Ik kom ’s avonds’ en “ja”", id="dutch-elision-inside"),
        pytest.param(["Я не сплю", "„да“", "да"], "Она: «Я не сплю». «„да“»", id="russian"),
        pytest.param(["No duermo", "¿Por qué?"], '«No duermo» y "¿Por qué?"', id="spanish"),
        pytest.param(["眠れない", "はい『ええ』", "ええ"], "彼女は「眠れない」と「はい『ええ』」", id="japanese"),
        pytest.param(["我睡不着", "不"], '她说"我睡不着"，又说“不”。', id="chinese-without-spaces"),
        pytest.param([], "《红楼梦》〈序〉", id="book-titles-are-no-quotations"),
        pytest.param(["잠이 안 와"], '그녀는 "잠이 안 와"라고 했다.', id="korean-particle-behind"),
        pytest.param(["नींद नहीं आती"], 'उसने कहा "नींद नहीं आती"।', id="hindi-ends-in-a-vowel-sign"),
        pytest.param(["ฉันนอนไม่หลับ"], 'เธอพูดว่า"ฉันนอนไม่หลับ"แล้วไป', id="thai"),
        pytest.param(["לא ישן"], 'צה"ל אמר "לא ישן"', id="hebrew-gershayim"),
        pytest.param(["لا أنام", "نعم"], "قالت “لا أنام” و”نعم“", id="arabic-both-ways"),
        pytest.param(["I can't", "so"], '“I can\'t" and "so”.', id="half-curly-half-straight"),
        pytest.param(['a 5" nail'], '“a 5" nail”', id="inches-inside-curly-marks"),
        pytest.param(['so ("it") goes', "it"], '“so ("it") goes”', id="straight-inside-curly-marks"),
        pytest.param(["一", "二"], "〝一〟 ＂二＂", id="wide-marks"),
    ],
)
def test_quotation_marks_of_many_languages(expected, text):
    """Each language's own marks, in its own direction."""
    assert passages(text) == expected


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        pytest.param([], "I don't, you can’t, rock 'n' roll, rock ’n’ roll", id="inside-words"),
        pytest.param([], "In the '90s and the ’80s, class of '68 isn't since '92", id="decades"),
        pytest.param([], "the dogs' bowls and the boys’ caps", id="plurals"),
        pytest.param([], "'Tis nothing to 'em, the dogs' bowls", id="letters-left-out"),
        pytest.param(["quote me"], "the dogs' 'quote me' bowls'", id="around-a-quotation"),
        pytest.param(["The dogs' bowls are empty."], "'The dogs' bowls are empty.' she said", id="plural-inside"),
        pytest.param(["I was talkin' about it,"], "'I was talkin' about it,' he said", id="dropped-g-inside"),
        pytest.param(["I like cats", "I like dogs"], "'I like cats' and 'I like dogs'", id="plural-at-the-end"),
        pytest.param(["Tell ’em I’m here,"], "‘Tell ’em I’m here,’ he said", id="curly-elision-inside"),
        pytest.param(["I saw the dogs' bowls"], "'Course \"I saw the dogs' bowls\"", id="across-a-double-mark"),
        pytest.param(["yes"], '5\'10" tall, 6’2” tall, "yes", a 12" nail', id="feet-and-inches"),
        pytest.param(["a"], 'x = 3" y; "a"', id="mark-behind-a-number"),
    ],
)
def test_apostrophes_and_inches_are_no_quotation_marks(expected, text):
    """A short upright stroke has many uses."""
    assert passages(text) == expected


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        pytest.param(["z"], '`"a"` ``"b` "c"`` "z"', id="code-spans"),
        pytest.param(["b"], '`a "b"', id="one-backtick-is-no-code"),
        pytest.param(["z"], '```py\nprint("a")\n```\n"z"', id="fenced-code"),
        pytest.param(["z"], '- x\n  ~~~\n  "a"\n  ~~~\n  "z"', id="fenced-code-in-a-list"),
        pytest.param(["a"], 'x\n\n    "a"\n', id="indented-text-is-read"),
        pytest.param(["text"], '["text"](http://x.org/"y" "title") ![](a \'b\')', id="link-targets-and-titles"),
        pytest.param([], "[x]: http://a.org \"title\"\n[y]: <b> 'title'", id="link-definitions"),
        pytest.param(["I can't"], '[1]: Smith said "I can\'t"', id="note-with-a-quotation"),
        pytest.param(["I can't"], '[^1]: http://a.org "I can\'t"', id="footnote-with-a-quotation"),
        pytest.param(["b", "z"], '<a href="x" title=\'y\'>"b"</a> <https://x.org/"y"> "z"', id="tags-and-autolinks"),
        pytest.param(["b"], 'a < 3 and "b" > 2', id="less-than-is-no-tag"),
        pytest.param(["z"], '<!-- "a" --> "z"', id="comments"),
        pytest.param(["z"], '<!-- "z"', id="comment-without-an-end"),
        pytest.param(["z"], '<script>\nlet x = "a";\n\ny = "b"\n</script>\n\n"z"', id="script-element"),
        pytest.param(["html"], '<div title="x">\n"html"\n</div>', id="html-block"),
        pytest.param(["esc"], 'He said \\"esc\\" and \\`"', id="escaped-marks"),
        pytest.param(["I can't", "so"], '**"I can\'t"** and "*so*"', id="emphasis-around"),
        pytest.param(["a", "b"], '| "a" | "b" |\n|---|---|', id="table-cells"),
        pytest.param(["b"], '- "a\n- "b"', id="list-items-are-apart"),
        pytest.param(["a\n\nb"], "- “a\n- b”", id="over-two-list-items"),
        pytest.param(["a,\n\nb,\n\nisn't c"], '1. "a,\n2. b,\n3. isn\'t c"', id="over-three-list-items"),
        pytest.param([], "- “a\n- b\n\nc”", id="not-beyond-the-list"),
        pytest.param([], "- 'a\n- the dogs' bowls", id="an-apostrophe-closes-no-list"),
    ],
)
def test_markdown_without_quotations_is_skipped(expected, text):
    """Code, links, tags and definitions contain marks that are no quotation marks."""
    assert passages(text) == expected


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        pytest.param([("I can't\nsleep.", (">", ""))], "> I can't\n> sleep.\n\nafter", id="two-lines"),
        pytest.param([("I can't\n\nsleep.", (">", ""))], "> I can't\r\n>\r\n> sleep.", id="two-paragraphs"),
        pytest.param([("I can't\nsleep.", (">", ""))], "> I can't\nsleep.", id="lazy-second-line"),
        pytest.param([("I can't.", (">", ""))], "> I can't.\n>\n> — Jane", id="signature"),
        pytest.param([("I can't.", (">", ""))], "> *I can't.* [1][^2] [3, 4]", id="emphasis-and-references"),
        pytest.param([("I can't [...]", (">", ""))], "> I can't [...]", id="ellipsis-is-no-reference"),
        pytest.param([("I can't.", ('"', '"'))], '> **"I can\'t."** (p. 3) — Jane', id="all-in-quotation-marks"),
        pytest.param([("I can't.", ("“", "”"))], "> “I can't.” [1]", id="quotation-marks-and-reference"),
        pytest.param([("a", (">", ""))], ">> > a", id="nested-without-words-between"),
        pytest.param([("a\n\nb\n\nc", (">", "")), ("b", (">", ""))], "> a\n> > b\n>\n> c", id="nested"),
        pytest.param([("a", (">", ""))], "1. x\n\n   > a", id="in-a-list"),
        pytest.param([("a", (">", ""))], '> a\n> ```\n> "code"\n> ```', id="with-code"),
        pytest.param([], "> ```\n> code\n> ```", id="nothing-but-code"),
        pytest.param([], "> [!NOTE]\n> a", id="note-box"),
        pytest.param([], ">\n> ***", id="empty"),
    ],
)
def test_block_quotes_are_joined_without_their_marks(expected, text):
    """Markdown's prefixes and the attribution do not belong to the quotation."""
    assert [(span.text, span.marks) for span in quotes_in(text) if span.kind == "block"] == expected


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        pytest.param(["One.\n\nTwo.\n\nThree."], "“One.\n\n“Two.\n\n“Three.” End.", id="curly"),
        pytest.param(["One.\n\nTwo."], '"One.\n\n"Two."', id="straight"),
        pytest.param(["Un.\n\nDeux."], "« Un.\n\n» Deux. »", id="french-goes-on-with-a-closing-mark"),
        pytest.param(["One.\n\nTwo."], "> “One.\n>\n> “Two.”", id="in-a-block-quote"),
        pytest.param(["A ‘be\n\nc’ d", "be\n\nc"], "“A ‘be\n\n“‘c’ d”", id="both-levels"),
        pytest.param(["one\n\ntwo"], '"one\n\n"two" and so on', id="open-in-the-first-closed-in-the-second"),
        pytest.param([], "“One.\n\nTwo.”", id="no-mark-again"),
        pytest.param(["two"], "“one\n\n> “two”", id="not-into-a-block-quote"),
    ],
)
def test_a_quotation_continues_in_a_paragraph_that_repeats_its_mark(expected, text):
    """This is the convention of novels; the repeated mark does not belong to the text."""
    assert passages(text) == expected


def test_a_span_has_offsets_marks_kind_and_depth():
    """Offsets are code points of the given text."""
    text = "\U0001f600 “a ‘b’ c” \r\n\r\n> “d\r\n> e” f"
    assert [(text[s.start : s.end], s.text, s.marks, s.kind, s.depth) for s in quotes_in(text)] == [
        ("a ‘b’ c", "a ‘b’ c", ("“", "”"), "inline", 0),
        ("b", "b", ("‘", "’"), "inline", 1),
        ("“d\r\n> e” f", "“d\ne” f", (">", ""), "block", 0),
        ("d\r\n> e", "d\ne", ("“", "”"), "inline", 1),
    ]


def test_short_passages_are_left_out_on_request():
    """`min_chars` counts the characters of the passage; a passage without letters or digits is left out."""
    assert passages('"I" "am" "not" "..."') == ["I", "am", "not"]
    assert passages('"I" "am" "not"', min_chars=3) == ["not"]


def test_anything_but_a_str_is_refused():
    """The error names the type and shows no text."""
    with pytest.raises(TypeError, match=r"^text must be a str, got bytes$"):
        quotes_in(b'"a"')


# Characters that may open, close, nest, hide or break a quotation.
PIECES = st.sampled_from(
    [
        *"\"'“”„‘’‚«»‹›「」『』`<>[]()!*_\\-#|aé你 \n\t\0\u2028",
        *("word ", "s' ", "\n\n", "\r\n", "\n> ", "> ", "- ", "    ", "```\n", "](", '<a b="', "<!--", "-->"),
    ]
)
HOSTILE = st.lists(PIECES, max_size=60).map("".join)


@given(HOSTILE)
def test_spans_are_slices_that_hold_each_other_or_are_apart(text):
    """A passage on one line is the slice itself; over several lines its characters come from the slice in order."""
    spans = quotes_in(text)
    assert spans == sorted(spans, key=lambda span: (span.start, -span.end))
    for at, span in enumerate(spans):
        piece = text[span.start : span.end]
        if "\n" not in span.text and "\r" not in piece:
            assert span.text == piece
        rest = iter(re.sub(r"\r\n?", "\n", piece))
        assert all(char in rest for char in span.text if not char.isspace())
        assert (span.text[0], span.text[-1]) == (piece[0], piece[-1])
        around = [other for other in spans[:at] if other.end > span.start]
        assert all(span.end <= other.end for other in around)
        assert span.depth == len(around)


@given(HOSTILE)
def test_a_paragraph_before_moves_every_span(text):
    """The position of a paragraph in the text does not matter."""
    moved = [(span.text, span.start - 6, span.end - 6, span.depth) for span in quotes_in("word\n\n" + text)]
    assert moved == [(span.text, span.start, span.end, span.depth) for span in quotes_in(text)]


MARKS = ['""', "''", "“”", "‘’", "„“", "„”", "‚‘", "«»", "»«", "‹›", "””", "’’", "»»", "「」", "『』", "〝〞", "＂＂"]
WORDS = st.lists(st.sampled_from(["sleep", "don't", "l’eau", "Straße", "не", "42", "can"]), min_size=1).map(" ".join)


@given(st.lists(st.tuples(WORDS, st.sampled_from(MARKS), WORDS)))
def test_planted_quotations_are_found_to_the_character(sentences):
    """This holds for all pairs of marks, in prose with apostrophes."""
    text = ""
    planted = []
    for before, marks, words in sentences:
        text += f"{before}: {marks[0]}"
        planted.append((len(text), len(text) + len(words), words))
        text += f"{words}{marks[1]}.\n\n"
    assert [(span.start, span.end, span.text) for span in quotes_in(text)] == planted


@pytest.mark.parametrize("mark", [*"\"'“”„‘’«»「`<[>*\\"])
def test_many_marks_take_linear_time(mark):
    """Neither time nor the size of the result may grow quadratically."""
    flood = mark * effort(5_000, 20_000)
    assert quotes_in(flood) == []
    found = quotes_in(f'{flood}\n\n"a"\n\n{flood}\n\n“b”')
    assert found[-1].text.endswith("b")


def test_passages_inside_each_other_are_returned_for_the_innermost_levels():
    """Otherwise a text with n marks would return n squared characters."""
    found = quotes_in("“" * 10_000 + "a" + "”" * 10_000)
    assert [span.depth for span in found] == list(range(16))
    assert found[-1].text == "a"
