"""Plain text and Markdown: labels of speakers, and the spans of their words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.transcripts import read_transcript
from groundwire.transcripts.plain_text import classify_line
from transcripts.turns import lines, said, times

TWO = [("Ann", "Hello."), ("Bob", "Hi.")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Ann: Hello.\nBob: Hi.", TWO, id="names"),
        pytest.param("Ann: Hello.\r\n\r\nBob: Hi.\r\n", TWO, id="crlf"),
        pytest.param("Ann: Hello.\rBob: Hi.\r", TWO, id="cr"),
        pytest.param("\ufeffAnn: Hello.\nBob: Hi.", TWO, id="byte-order-mark"),
        pytest.param("Ann:\nHello.\n\nBob:\n\nHi.\n", TWO, id="words-below"),
        pytest.param("**Ann:** Hello.\n\n**Bob:** Hi.", TWO, id="bold"),
        pytest.param("**Ann**: Hello.\n\n**Bob**: Hi.", TWO, id="bold-name-alone"),
        pytest.param("__Ann:__ Hello.\n*Bob:* Hi.", TWO, id="other-emphasis"),
        pytest.param("> Ann: Hello.\n> Bob: Hi.", TWO, id="quoted"),
        pytest.param("- Ann: Hello.\n- Bob: Hi.", TWO, id="list"),
        pytest.param("[Ann]: Hello.\n[Bob]: Hi.", TWO, id="square-brackets"),
        pytest.param("Ann:: Hello.\nBob:: Hi.", TWO, id="two-colons"),
        pytest.param("Ann : Hello.\nBob : Hi.", TWO, id="space-before-the-colon"),
        pytest.param("Ann：Hello.\nBob：Hi.", TWO, id="full-width-colon"),
        pytest.param("**Q:** Hello.\n\nBob: Hi.", [("Q", "Hello."), ("Bob", "Hi.")], id="only-questions-bold"),
        pytest.param("Project Manager: a\nPhD D: b", [("Project Manager", "a"), ("PhD D", "b")], id="roles"),
        pytest.param("Dr. O'Neil: a\nINTERVIEWER: b", [("Dr. O'Neil", "a"), ("INTERVIEWER", "b")], id="title"),
        pytest.param("SPEAKER_00: a\nSPEAKER_01: b", [("SPEAKER_00", "a"), ("SPEAKER_01", "b")], id="numbers"),
        pytest.param(
            "me: a\nyou: b\nme: c\nyou: d", [("me", "a"), ("you", "b"), ("me", "c"), ("you", "d")], id="small"
        ),
        pytest.param("Михевна.: да\nЮлия: нет", [("Михевна.", "да"), ("Юлия", "нет")], id="russian"),
        pytest.param("张三：你好。\n李四：你好吗？", [("张三", "你好。"), ("李四", "你好吗？")], id="chinese"),
        pytest.param("张三:你好。\n李四:你好吗？", [("张三", "你好。"), ("李四", "你好吗？")], id="chinese-no-space"),
        pytest.param("علي: نعم\nمريم: لا", [("علي", "نعم"), ("مريم", "لا")], id="arabic"),
        pytest.param("Ann (Chair, Lab.): Hello.\nBob: Hi.", [("Ann (Chair, Lab.)", "Hello."), TWO[1]], id="role"),
        pytest.param(
            "Ann: Hello.\nIt is one thing: me.\nBob: Hi.",
            [("Ann", "Hello.\nIt is one thing: me."), TWO[1]],
            id="goes-on",
        ),
        pytest.param("Ann: Hello.\nNote: she nods.\nBob: Hi.", [("Ann", "Hello.\nNote: she nods."), TWO[1]], id="note"),
        pytest.param("Minutes\n\nAnn: Hello.\nBob: Hi.", TWO, id="title-belongs-to-nobody"),
        pytest.param("Ann: Hello.\n\n# Part 2\n\nBob: Hi.\n---\nend", TWO, id="headings-belong-to-nobody"),
        pytest.param("Ann: \nBob: Hi.", [("Ann", ""), TWO[1]], id="empty-turn"),
        pytest.param("Ann: at 12:30: sharp\nBob: Hi.", [("Ann", "at 12:30: sharp"), TWO[1]], id="time-in-speech"),
        pytest.param("Ann: 12:30\nBob: Hi.", [("Ann", "12:30"), TWO[1]], id="a-time-is-an-answer"),
    ],
)
def test_turns(text, expected):
    """The words are cut out of the original text."""
    transcript = read_transcript(text)
    assert transcript.text == text
    assert said(transcript) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t\n",
        "No colon anywhere.\nNone.",
        "Note: bring milk.\nNote: and bread.",
        "http://example.org\nhttps://example.org",
        "12:30 we met.\n13:00 we left.",
        "Jer36:14 Therefore all the princes sent.\nJer36:15 And they said unto him, Sit.",
        "He said one thing: go.\nShe had another view of it: stay.\nBoth left.\nNobody came.\nThe end.",
        "Dear all,\n\nThe plan: we go.\nIt rains.\nWe stay.\nThe sun shines.",
        "Article: 1\nAll are born free.\nThey are.\nArticle: 2\nEveryone has rights.\nThey do.",
        "It is late!: go\nIs it?: no",
        "const a = {b: 1}\nreturn {c: 2}",
    ],
)
def test_a_text_without_speakers_has_no_turns(text):
    """A colon alone makes no speaker: names recur, or begin most lines, and look like names."""
    transcript = read_transcript(text, format="text")
    assert (transcript.turns, transcript.speakers, transcript.warnings) == ((), (), ())


def test_a_list_in_speech_has_no_speakers():
    """If speakers are at the beginning of lines, text after bullets is speech."""
    text = (
        "user: hi\nassistant: two ways\n- One: a\n* Two: b\nuser: more\nassistant: yes\n- One: c\n"
        + "user: a\nassistant: b\n" * 6
    )
    assert {turn.speaker for turn in read_transcript(text).turns} == {"user", "assistant"}


def test_names_in_prose_have_to_recur():
    """In speeches of many lines, two recurring names are speakers, and so is one of two words that does not recur."""
    speech = "we go on\n" * 10
    text = "".join(f"{name}:\n{speech}" for name in ("Ann", "Bob", "Ann", "Bob", "Carl Dole", "Reason", "Ann"))
    speakers = [turn.speaker for turn in read_transcript(text).turns]
    assert speakers == ["Ann", "Bob", "Ann", "Bob", "Carl Dole", "Ann"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[00:01:02] Ann: a\n[0:03] Bob: b", [(62.0, None), (3.0, None)], id="before-the-name"),
        pytest.param("00:01:02 Ann: a\n00:01:03.5 Bob: b", [(62.0, None), (63.5, None)], id="bare"),
        pytest.param("(1:02) - Ann: a\n(1:03) - Bob: b", [(62.0, None), (63.0, None)], id="round-with-dash"),
        pytest.param("Ann [1:02]: a\nBob (1:03): b", [(62.0, None), (63.0, None)], id="behind-the-name"),
        pytest.param("Ann: [1:02] a\nBob: [1:03] b", [(62.0, None), (63.0, None)], id="behind-the-colon"),
        pytest.param("**Ann:** \\[1:02\\] a\n**Bob:** b", [(62.0, None), (None, None)], id="markdown-brackets"),
        pytest.param("Ann  1:02\na\n\nBob  1:03\nb", [(62.0, None), (63.0, None)], id="name-and-time-alone"),
        pytest.param("1:02\nAnn: a\n1:03\nBob: b", [(62.0, None), (63.0, None)], id="line-above"),
        pytest.param("[0:01 --> 0:02.5] a\n[0:03 --> 0:04] b", [(1.0, 2.5), (3.0, 4.0)], id="ranges-without-names"),
        pytest.param("[75:00] Ann: a\n[100:00:00] Bob: b", [(4500.0, None), (360000.0, None)], id="long"),
        pytest.param("[99:99] Ann: a\n[1:60:00] Bob: b", [(None, None), (None, None)], id="none"),
    ],
)
def test_times(text, expected):
    """They are read in all usual positions, and do not belong to the words."""
    transcript = read_transcript(text)
    assert times(transcript) == expected
    assert [words for _, words in said(transcript)] == ["a", "b"]


def test_a_time_in_the_middle_splits_a_turn():
    """After a line that begins with a time, the same speaker continues in a new turn."""
    transcript = read_transcript("Ann: a\n\n[0:05] b\n\n0:07\n\nc\n0:09\nBob: d\n0:11\n")
    assert said(transcript) == [("Ann", "a"), ("Ann", "b"), ("Ann", "c"), ("Bob", "d")]
    assert times(transcript) == [(None, None), (5.0, None), (7.0, None), (9.0, None)]
    assert lines(transcript) == [1, 3, 5, 9]


def test_spellings_of_a_name_are_one_speaker():
    """`speakers` has each name once, as first written; turns keep their spelling."""
    transcript = read_transcript("Юлия.: a\nAnn: b\nЮЛИЯ: c\nann : d")
    assert transcript.speakers == ("Юлия.", "Ann")
    assert [turn.speaker for turn in transcript.turns] == ["Юлия.", "Ann", "ЮЛИЯ", "ann"]


fragments = st.lists(
    st.sampled_from(
        [
            "Ann",
            "ann",
            " ",
            "\t",
            "1",
            ":",
            "：",
            "(",
            ")",
            "[",
            "]",
            "[0:01]",
            "0:02",
            "*",
            "**",
            "_",
            "<",
            "\\",
            "é",
            "张",
            ".",
            "-",
        ]
    ),
    min_size=1,
    max_size=12,
).map("".join)


@given(fragments.filter(lambda line: line[0].isalpha()))
def test_an_indented_line_has_the_same_label(line):
    """Indentation skips the pattern for usual lines, and the slower way finds the same."""
    found = classify_line(line, 0, len(line))
    indented = classify_line(f" {line}", 0, len(line) + 1)
    assert indented == (found if found is None else found._replace(words=found.words + 1))


@pytest.mark.parametrize(
    ("head", "body"),
    [
        pytest.param("Role: Nurse\nCompany Size: 200\n\n", "Interviewer: Hello.\nAnn: Hi.\n", id="before-turns"),
        pytest.param("Role: Nurse\nCompany Size: 200\n", "Interviewer: Hello.\nAnn: Hi.\n", id="no-blank-line"),
        pytest.param(
            "Role: Nurse\nAge: 34\n\nTools: Slack\nGoals: Rest\n\n", "Ann: Hello.\nBo: Hi.\n", id="two-blocks"
        ),
        pytest.param("# P4\n\nRole: Nurse\nShift Pattern: late\n\n", "Ann: Hello.\nBo: Hi.\n", id="unknown-label"),
        pytest.param("Beruf: Pflegerin\nAlter: 34\n\n", "Anna: Hallo.\nBo: Hallo.\n", id="german"),
        pytest.param("职业：护士\n年龄：34\n\n", "主持人：你好。\n小王：你好。\n", id="chinese"),
    ],
)
def test_fields_of_a_profile_are_no_speakers(head, body):
    """Lines such as `Role: Nurse` at the head of a text are facts; the turns behind them stay turns."""
    transcript = read_transcript(head + body)
    assert [turn[:2] for turn in said(transcript)] == [turn[:2] for turn in said(read_transcript(body))]
    assert transcript.turns[0].start > len(head)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Role: Nurse\nCompany Size: 200\nCity: Lund\n\nShe likes tea.\n", id="profile-and-prose"),
        pytest.param("Role: Nurse\nCompany Size: 200\n", id="profile-alone"),
    ],
)
def test_a_profile_has_no_turns(text):
    """A profile contains no speech."""
    assert read_transcript(text).turns == ()


def test_recurring_labels_are_speakers():
    """`Role` may be a speaker if it recurs, or is among names."""
    assert [name for name, _ in said(read_transcript("Role: a\nAnn: b\nRole: c\nAnn: d"))] == ["Role", "Ann"] * 2
