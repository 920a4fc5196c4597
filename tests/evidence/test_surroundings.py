"""Words directly beside a quote, and words that an ellipsis hides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evidence import assess_quotes
from groundwire.language import reader


def truncated_condition(text, start, end):
    """Return the words beside a quote that restrict or negate it."""
    span, _ = reader().surroundings(text, start, end)
    return None if span is None else text[slice(*span)]


def hidden_meaning(gap, before="", after=" went on"):
    """Return the words in a gap whose omission changes the meaning."""
    text = before + gap + after
    return tuple(text[slice(*span)] for span in reader().omitted_restrictions(text, len(before), len(before + gap)))


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("|I will pay|, but only half.", "but"),
        ("|You may enter| unless it rains.", "unless"),
        ("|You may enter|, even though it rains.", "even though"),
        ("|I like it| <laugh> except on Sundays.", "except"),
        ("|We accept| only if she agrees.", "only if"),
        ("|We accept| provided that she agrees.", "provided that"),
        ("|We did see| not much.", "not"),
        ("|It is not meant for dogs| under 5 kg.", "under"),
        ("|All farms| over nine hectares pay.", "over"),
        ("He is not |guilty of it|.", "not"),
        ("He was never, |ever in Rome|.", "never"),
        ("He didn't |go there|.", "didn't"),
        ("There are no |dogs here|.", "no"),
        ("Only if |you pay|, we come.", "Only if"),
        ("At most |five people| came.", "At most"),
        ("Ich will |das machen|, aber nicht heute.", "aber"),
        ("Das ist nicht |wahr|.", "nicht"),
        ("Es gibt keine |Leute in der Stadt|.", "keine"),
        ("|Nous allons dans la maison|, mais pas ce soir.", "mais"),
        ("Je ne sais pas |dans quelle maison|.", "pas"),
        ("|Los niños van a la casa|, pero no hoy.", "pero"),
        ("El hombre no |está en la casa|.", "no"),
        ("|Я пойду|, но не сегодня.", "но"),
        ("Я не |пойду| сегодня.", "не"),
        ("|أنا أعرف| لكن بعد هذا", "لكن"),
        ("لا |أعرف|", "لا"),
        ("|我想去|，但是没时间。", "但是"),
        ("我不|想去|。", "不"),
        ("|行き|ません。", "ません"),
        ("|行きます|が、雨です。", "が、"),
        ("不|可能です|。", "不"),
    ],
)
def test_a_condition_beside_the_quote_is_reported(marked, expected):
    """The words are those of the source, across commas and marks."""
    start, end = marked.index("|"), marked.rindex("|") - 1
    assert truncated_condition(marked.replace("|", ""), start, end) == expected


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param("|He is guilty|. But she is not.", id="next-sentence"),
        pytest.param("|He is guilty.| But she is not.", id="the-quote-ends-its-sentence"),
        pytest.param("No, |I like it|.", id="an-answer-of-its-own"),
        pytest.param("He did not. |She did|.", id="last-sentence"),
        pytest.param("|I see it|\n\nbut not now", id="next-paragraph"),
        pytest.param("|I see it|, not you", id="another-clause"),
        pytest.param("|Prices rose| more than 5 per cent.", id="a-bound-of-a-plain-statement"),
        pytest.param("|I see| button boxes", id="but-is-a-beginning-only"),
        pytest.param("|all of it|", id="all-of-the-text"),
        pytest.param("我很高兴，|想去|。", id="zh-no-negation"),
        pytest.param("行かない|人がいる|。", id="ja-the-negation-is-the-verbs-before"),
    ],
)
def test_another_sentence_is_not_reported(marked):
    """Words of another sentence do not restrict the quote."""
    start, end = marked.index("|"), marked.rindex("|") - 1
    assert truncated_condition(marked.replace("|", ""), start, end) is None


@pytest.mark.parametrize(
    ("gap", "before", "expected"),
    [
        pytest.param(" which was not ", "", ("not",), id="inside-one-sentence"),
        pytest.param(" of it. He did not go. Then ", "He sold all", (), id="in-a-sentence-of-its-own"),
        pytest.param(" He did not go. ", "He stayed.", (), id="after-the-end-of-a-sentence"),
        pytest.param(" he did not. So ", "We know", ("not",), id="ends-the-kept-sentence"),
        pytest.param(" of it. We do not ", "We know", ("not",), id="begins-the-kept-sentence"),
        pytest.param(". Not really. ", "He is guilty", ("Not",), id="a-bare-denial"),
        pytest.param(" Unless it rains. ", "We go.", ("Unless",), id="a-bare-condition"),
        pytest.param(" as Mr. Smith did not say ", "It was", ("not",), id="an-abbreviation-ends-nothing"),
        pytest.param(", as Mr. Smith did not say, ", "It was", (), id="in-a-clause-of-its-own"),
        pytest.param(", who has never been there, ", "The mayor", (), id="in-a-relative-clause"),
        pytest.param(", in no way, ", "It was", ("in no way",), id="a-phrase-of-the-clause-around"),
        pytest.param(" do not, as you know, ", "I", ("not",), id="of-the-kept-clause"),
        pytest.param(", if it rains, ", "We stay and", ("if",), id="a-condition-of-the-clause-beside"),
        pytest.param(" about almost ten people who ", "They spoke", (), id="goes-with-its-number"),
        pytest.param(" about almost", "They spoke", ("almost",), id="its-number-is-kept"),
        pytest.param(" it only there and ", "We had", ("only",), id="a-limit-of-the-clause"),
        pytest.param(" of 3. He did not go. Then ", "He sold all", (), id="a-number-ends-a-sentence"),
        pytest.param(" of A. Miller who did not go ", "the house", ("not",), id="an-initial-ends-nothing"),
        pytest.param(" wir am 3. Mai nicht und ", "Das haben", ("nicht",), id="de-an-ordinal-ends-nothing"),
        pytest.param(" wir am 13. Mai nicht und ", "Das haben", ("nicht",), id="de-an-ordinal-of-two-digits"),
        pytest.param(" wir 1998. Er war nicht da. Und ", "Das haben", (), id="de-a-year-ends-a-sentence"),
        pytest.param(" in the house and by the sea ", "", (), id="nothing-there"),
        pytest.param("，他不去，", "我想", (), id="zh-in-a-clause-of-its-own"),
        pytest.param("不去，", "我想", ("不",), id="zh"),
        pytest.param("。他不去。", "我去", (), id="zh-in-a-sentence-of-its-own"),
        pytest.param("было не", "Это", ("не",), id="ru"),
        pytest.param(" et il n'est pas ", "C'est la maison", ("pas",), id="fr"),
    ],
)
def test_a_gap_hides_what_shares_a_sentence_with_the_kept_words(gap, before, expected):
    """Omitting whole sentences is legitimate."""
    assert hidden_meaning(gap, before=before) == expected


@given(st.text(st.sampled_from("ano t.,!\n但不ない<>[]'"), max_size=30) | st.text(max_size=30), st.data())
def test_any_text_can_be_asked(text, data):
    """No text raises, and the returned words are in the text."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    told = truncated_condition(text, start, end)
    assert told is None or told in text
    assert all(word in text or "\u00ad" in text or not text.isascii() for word in hidden_meaning(text))


def test_words_in_a_tag_hide_nothing():
    """A transcriber's note is no negation (ruling A19)."""
    assert hidden_meaning("well [not clear] then") == ()
    assert truncated_condition("he did not [laughs] go", 20, 22) == "not"


@pytest.mark.parametrize(
    ("quote", "is_accepted"),
    [
        pytest.param("press the red valve while it hums", True, id="begins-small"),
        pytest.param("Press the red valve while it hums.", False, id="begins-like-a-sentence"),
        pytest.param("The lid stays shut", True, id="ends-without-a-stop"),
        pytest.param("The lid stays shut.", False, id="ends-like-a-sentence"),
        pytest.param("The lid stays shut unless the lamp is green.", True, id="whole"),
        pytest.param("Call the office.", True, id="a-sentence-of-its-own"),
    ],
)
def test_a_cut_sentence_in_the_form_of_a_whole_one_is_not_accepted(quote, is_accepted):
    """The omitted words are directly beside it: a negation before, a condition after (ruling A17)."""
    source = "Never press the red valve while it hums. The lid stays shut unless the lamp is green. Call the office."
    assert assess_quotes([quote], source)[0].accepted is is_accepted
