"""The ends of sentences, by a table and compared with the rules in plain Python."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire import _engine
from oracles.sentences import kind_of, sentences_naive

# In each text, | marks the start of the next sentence. The cases follow the golden rules of Pragmatic Segmenter, in
# other words.
ENGLISH = [
    pytest.param("Good morning all. |This talk is short.", id="full-stop"),
    pytest.param("Where is the lab? |The lab is upstairs.", id="question-mark"),
    pytest.param("Here it comes! |We saw it.", id="exclamation-mark"),
    pytest.param("The author is Maria K. Lopez.", id="initial-in-a-name"),
    pytest.param("Now look at p. 12.", id="page"),
    pytest.param("Was Tom and co. on the train?", id="co-lower"),
    pytest.param("She sold it to Ford, Miller & Co. in spring.", id="company-lower"),
    pytest.param("Let us wait for Tom and co. |They are late.", id="co-at-the-end"),
    pytest.param("She sold it to Ford, Miller & Co. |It was cheap.", id="company-at-the-end"),
    pytest.param("They climbed Mt. Rainier in June.", id="title-before-a-name"),
    pytest.param("St. Anne's School is on Mill st. by the river.", id="saint-and-street"),
    pytest.param("This was Bill Jr.'s bicycle.", id="possessive-of-an-abbreviation"),
    pytest.param("The mill closed in the 1940's. |Rosa sold the boats.", id="possessive-at-the-end"),
    pytest.param("It was d'A. Moretti who paid.", id="initial-behind-an-apostrophe"),
    pytest.param("The herd grew to 40 m².² |Nobody counted the calves.³", id="footnote-signs"),
    pytest.param("Der Umbau kostet 3 Mio. Euro. |Der Rat zahlt 4 Mrd. Kronen.", id="de-millions"),
    pytest.param("He crossed the U.S.A. by train.", id="initialism"),
    pytest.param("They moved to the U.K. |What do you say?", id="initialism-at-the-end"),
    pytest.param("They moved to the U.S. |What do you say?", id="initialism-at-the-end-of-two-letters"),
    pytest.param("She advised the U.S. Treasury in spring.", id="initialism-before-a-name"),
    pytest.param("He taught in the U.S. for 30 months.", id="initialism-lower"),
    pytest.param(
        "At 7 a.m. Mrs. Green took the bus. |She reached the office at 9 A.M. |Mrs. Green then had tea.",
        id="times-and-titles",
    ),
    pytest.param("It costs $250.75 a month.", id="money"),
    pytest.param("It costs $250.75. |That is too much.", id="money-at-the-end"),
    pytest.param("She paints (She was once a surveyor.) in the old mill.", id="sentence-in-parentheses"),
    pytest.param("Write to Tom.Ford@mail.example. |He will answer you.", id="address-of-mail"),
    pytest.param("It is here: https://docs.example.7.org/a-b/read_me.html. |Have a look.", id="address-of-the-web"),
    pytest.param("He looked up, 'That was close.' he said.", id="single-quotes-within"),
    pytest.param('He looked up, "That was close." he said.', id="double-quotes-within"),
    pytest.param('He looked up, "That was close." |He shut the door behind them.', id="double-quotes-at-the-end"),
    pytest.param("Stop!! |The road is closed.", id="two-exclamation-marks"),
    pytest.param("Really?? |Who says so?", id="two-question-marks"),
    pytest.param("Really!? |Who says so?", id="exclamation-and-question-mark"),
    pytest.param("Really?! |Who says so?", id="question-and-exclamation-mark"),
    pytest.param("1.) Bread and butter |2.) Milk and honey", id="list-stop-parenthesis"),
    pytest.param("1.) Buy bread. |2.) Buy milk.", id="list-stop-parenthesis-sentences"),
    pytest.param("1) Bread and butter |2) Milk and honey", id="list-parenthesis"),
    pytest.param("1) Buy bread. |2) Buy milk.", id="list-parenthesis-sentences"),
    pytest.param("1. Bread and butter |2. Milk and honey", id="list-stop"),
    pytest.param("1. Buy bread. |2. Buy milk.", id="list-stop-sentences"),
    pytest.param("• 9. Bread and butter |• 10. Milk and honey", id="bullets-and-numbers"),
    pytest.param("⁃9. Bread and butter |⁃10. Milk and honey", id="bullets-without-a-space"),
    pytest.param("a. Bread and butter |b. Milk and honey |c. Salt and pepper", id="letters"),
    pytest.param("The deed is N°. 77.1204.9. |There the border is drawn.", id="number-sign"),
    pytest.param("He was hired by Yahoo! as a translator.", id="name-that-ends-in-a-mark"),
    pytest.param("They won the match, he and I. |Was it Henry I. Ford again?", id="pronoun-and-initial"),
    pytest.param(
        "The poet says that in winter’s dark, “the roads of memory grow longer. . . .”",
        id="ellipsis-and-quote-at-the-end",
    ),
    pytest.param('"Curie [...] kept a diary of small errors [...]" (Jones 12).', id="omissions-in-brackets"),
    pytest.param(
        "Where the end of a line is missing, and no more than that, set three points with a space before each of them "
        "and after them one for the end . . . . |Then go on.",
        id="four-spaced-stops",
    ),
    pytest.param("We did not ask for this.... |He went home.", id="four-stops"),
    pytest.param(
        "It wasn’t quite ... well, you see...look . . . what I want, what counts is . . . I can’t say it.",
        id="pauses",
    ),
    pytest.param(
        "One more custom that was slowly lost . . . was that of writing letters by candlelight. |. . . The lamps were "
        "not put out. . . .",
        id="omission-at-the-beginning",
    ),
]

CHINESE = [
    pytest.param(
        "公司已通知員工家屬，並協助安排住宿與交通，家屬3月2日上午抵達高雄，眾人神情疲憊、沉默不語。|王先生住在台南，去年才到公司任職。",
        id="full-stop",
    ),
    pytest.param("你们周末要不要去听《唱吧！朋友》呢？|要！", id="mark-in-a-title"),
    pytest.param("他说：“天黑了。”|我们回家。", id="closing-quote-after-the-stop"),
    pytest.param("真的吗？！|是的……也许吧。", id="two-marks-and-an-ellipsis"),
    pytest.param("圆周率约为3.14。|这是常识。", id="decimal"),
]

JAPANESE = [
    pytest.param("これは本です。|あれは机です。", id="full-stop"),
    pytest.param("あれは誰ですか？|先生ですか？", id="question-mark"),
    pytest.param("やったね！|うれしい！", id="exclamation-mark"),
    pytest.param(
        "市の担当者は、「引き上げ幅は２．１５％以内を目安とする」と説明していて、来月、議会と協議したうえで、"
        "１５日に発表する予算案に盛り込む予定です。|３％台前半とする方向で検討しています。",
        id="quotation-and-wide-decimal",
    ),
    pytest.param("彼は「行こう。」と言った。|外は雨だった。", id="sentence-in-a-quotation"),
    pytest.param("『春。夏。』という本です。|秋。", id="stops-in-a-title"),
]

OTHERS = [
    pytest.param("Das gilt z. B. für Äpfel. |Sie sind rot.", id="german-abbreviation"),
    pytest.param("Er kam am 5. März 1990 an. |Es regnete.", id="german-date"),
    pytest.param("Im 19. Jahrhundert war es so, vgl. S. 12 und Nr. 4.", id="german-century-and-page"),
    pytest.param("M. Dupont est arrivé, cf. p. 3. |Il pleut.", id="french"),
    pytest.param("La Sra. García llegó a las 5 p.m. |¿Quién más vino? |¡Nadie!", id="spanish"),
    pytest.param("यह एक किताब है। |वह मेज़ है।", id="hindi"),
]

MORE = [
    pytest.param("", id="empty"),
    pytest.param("No stop at all", id="no-stop"),
    pytest.param("It rose by 3.5 percent, i.e. more than before, e.g. in May. |Prices fell.", id="inner-abbreviations"),
    pytest.param("In the end it was 2019. |15 people came.", id="number-at-the-beginning"),
    pytest.param("See Fig. 3 and Sec. IV of vol. 2. |No. |They did not.", id="numbers-after-abbreviations"),
    pytest.param("It was no. 5 of ten. |Was it? |No. |It was not.", id="no-as-a-word"),
    pytest.param("Smith et al. (2020) found it. |Others, e.g. Lee et al., did not.", id="et-al"),
    pytest.param("Take vitamin C. |It helps.", id="letter-at-the-end"),
    pytest.param("The station is at N. 45 and W. 122 degrees.", id="coordinates"),
    pytest.param("Open config.yaml or setup.Final and run v2.0.Beta now.", id="file-names"),
    pytest.param("Ask www.example.org/search?q=Who!Is&b=C about it. |Then stop.", id="marks-in-an-address"),
    pytest.param('"Why?" she asked. |"Stop!" he cried.', id="quoted-questions"),
    pytest.param("He said (loudly!) that it works. |(It does not.) |So what.", id="parentheses"),
    pytest.param(
        "He wrote “It rained. We left. Nobody came.” in his diary. |It was dry.", id="sentences-in-a-quotation"
    ),
    pytest.param("One line\nand the next. |Another.", id="single-line-end"),
    pytest.param("A title without a stop\n\n|The text.", id="blank-line"),
    pytest.param("They need:\n|- bread\n|- milk", id="dashes"),
    pytest.param("They need:\r\n|1. bread\r\n|2. milk", id="numbers-and-crlf"),
    pytest.param("And then… he left. |Then… |She came.", id="ellipsis-character"),
    pytest.param("Mail a.b@c.example. |He answers.", id="mail-at-the-end"),
    pytest.param("She has a Ph.D. in law. |He has an M.D. |She left.", id="degrees"),
    pytest.param("Dr. A. B. Lee, Gen. Wu and Prof. Ito met. |Capt. Ray did not.", id="titles"),
    pytest.param("She wept every night. |[pause 00:41] But nobody came. |(laughs) Or so I thought.", id="asides"),
    pytest.param("It opens at 9 a.m. (or later) on Sundays. [sic] and so on.", id="aside-before-a-small-letter"),
    pytest.param("Yahoo! Finance reported it. |It was on Yahoo! |They said so.", id="exclaimed-names"),
]


@pytest.mark.parametrize("sentences", [_engine.sentences, sentences_naive], ids=["engine", "naive"])
@pytest.mark.parametrize("marked", [*ENGLISH, *CHINESE, *JAPANESE, *OTHERS, *MORE])
def test_sentences_end_where_a_reader_ends_them(marked, sentences):
    """The sentences are those of the text in which | marks the start of the next one."""
    wanted = [sentence.strip() for sentence in marked.split("|") if sentence]
    text = marked.replace("|", "")
    assert [text[start:end] for start, end in sentences(text)] == wanted


# The rules distinguish these segments; their order makes the cases.
PIECES = [
    *(
        "a",
        "It",
        "the ",
        "Dr",
        "no",
        "No",
        "e.g",
        "etc",
        "Inc",
        "p.m",
        "U.S",
        "I",
        "J",
        "Yahoo",
        "7",
        "15 ",
        "12.5",
        "IV",
    ),
    *(
        ".",
        ". ",
        "! ",
        "?",
        "?! ",
        "...",
        ". . . ",
        "…",
        "。",
        "！",
        "、",
        ", ",
        ": ",
        " ",
        "\n",
        "\n\n",
        "\r\n",
        "- ",
        "• ",
    ),
    *(
        '"',
        '" ',
        "(",
        ") ",
        "“",
        "”",
        "「",
        "」",
        "《",
        "》",
        "[",
        "] ",
        "[...]",
        "1) ",
        "2) ",
        "1. ",
        "2. ",
        "a. ",
        "b. ",
    ),
    *("中文", "です", "と", "März", "é", "\u0301", "\u200b", "_", "x_y"),
]


@settings(max_examples=examples(1500))
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@example("1 b.")
@example('He said "It is so. It is not. The end.\n\nAnother" one.')
def test_the_engine_is_the_plain_python_rules(text):
    """The engine finds the same sentences as the rules in plain Python."""
    assert _engine.sentences(text) == sentences_naive(text)


@given(st.text(st.characters(exclude_categories=["Cn"]), max_size=60))
def test_sentences_leave_nothing_out(text):
    """Sentences are in order and do not overlap; only white space and zero-width characters are left over."""
    found = _engine.sentences(text)
    ends = [0, *(end for _, end in found)]
    starts = [*(start for start, _ in found), len(text)]
    assert all(end <= start for end, start in zip(ends, starts, strict=True))
    assert all(start < end for start, end in found)
    left_over = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    assert all(kind_of(character) in "snh" for character in left_over)
