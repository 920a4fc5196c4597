"""`groundwire check --quotes-in`: every quotation of an answer, with its place in the answer."""

import pytest

ANSWER = """# Findings

Max “can’t sleep at night”, and it isn't a ‘minor’ or "side" issue.

> Work is fine really.

- „I can’t sleep at night“
- «Work is fine»
- She adds: "I can't sleep
- at night"

`"code is no quotation"`
"""


@pytest.fixture
def answer(write):
    """The name of an answer in Markdown."""
    write("answer.md", ANSWER)
    return "answer.md"


def test_each_quotation_of_an_answer_is_checked(run, interview, answer):
    """Curly, straight, low and angular marks, block quotes, and a quotation over two items of a list."""
    result = run("check", interview, "--quotes-in", answer, "-f", "json")
    quotes = result.report["quotes"]
    assert [each["quote"] for each in quotes] == [
        "can’t sleep at night",
        "Work is fine really.",
        "I can’t sleep at night",
        "Work is fine",
        "I can't sleep\n\nat night",
    ]
    assert [each["accepted"] for each in quotes] == [True] * 5
    assert result.code == 0


def test_each_quotation_has_its_place_in_the_answer(run, interview, answer):
    """The offsets are code points of the answer, without the marks."""
    quotes = run("check", interview, "--quotes-in", answer, "-f", "json").report["quotes"]
    spans = [(each["origin"]["start"], each["origin"]["end"]) for each in quotes]
    assert [ANSWER[start:end] for start, end in spans[:4]] == [each["quote"] for each in quotes[:4]]
    assert ANSWER[slice(*spans[4])] == "I can't sleep\n- at night"


def test_scare_quotes_are_left_out_and_counted(run, interview, answer):
    """One or two words in marks are no evidence; the warning and the report say how many there are."""
    result = run("check", interview, "--quotes-in", answer, "-f", "json")
    assert result.stderr == "warning: 2 quotations of fewer than 3 words left out\n"
    assert result.report["summary"]["left_out"] == 2
    assert (
        "5 of 5 quotes accepted (100.0 %); 2 short quotations left out"
        in run("check", interview, "--quotes-in", answer).stdout
    )


def test_the_number_of_words_is_an_option(run, interview, answer):
    """With 1, every quotation is checked."""
    args = ("check", interview, "--quotes-in", answer, "--min-quotation-words", "1", "-f", "json")
    result = run(*args)
    assert (result.stderr, result.report["summary"]["left_out"]) == ("", 0)
    assert {"minor", "side"} <= {each["quote"] for each in result.report["quotes"]}
    assert result.code == 1


def test_characters_of_chinese_count_as_words(run, write):
    """A Chinese sentence has no spaces, and is no scare quote."""
    write("t.txt", "她说：我晚上睡不着觉。\n")
    write("a.md", "她说“我晚上睡不着觉”。\n")
    result = run("check", "t.txt", "--quotes-in", "a.md", "-f", "json")
    assert (result.code, [each["status"] for each in result.report["quotes"]]) == (0, ["exact"])


def test_an_answer_without_quotations_is_an_error(run, write, interview):
    """Nothing to check is no success, unless --allow-empty says so."""
    write("a.md", "It's fine.\n")
    result = run("check", interview, "--quotes-in", "a.md")
    assert (result.code, result.stderr.splitlines()[0]) == (2, "error: `a.md` contains no quotes")
    assert run("check", interview, "--quotes-in", "a.md", "--allow-empty").code == 0


def test_standard_input_is_an_answer_too(run, interview):
    """`-` reads it."""
    result = run("check", interview, "--quotes-in", "-", stdin="He said “I can’t sleep at night”.".encode())
    assert result.code == 0
