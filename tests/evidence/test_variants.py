"""Quotes in other variants of characters than their source: simplified and traditional Chinese, kana of any form."""

import gc
import unicodedata
import weakref
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire
from effort import examples
from groundwire import Source, normalize, read_document, read_transcript
from groundwire.evidence import Quote, QuotePolicy, QuoteReason, QuoteStatus, assess_quotes
from groundwire.evidence.respelling import folded_source
from groundwire.language import word_list
from groundwire.sources import Sources
from groundwire.unicode_forms import fold_variants

FOLDED = QuotePolicy(fold_variants=True)
TRADITIONAL = "記者報導,他們說要發展農村經濟。公司沒有決定投資五百萬元。"
SIMPLIFIED = "记者报导,他们说要发展农村经济。公司没有决定投资五百万元。"
KATAKANA = "これはガラスノコップです。"
DATA = Path(groundwire.__file__).with_name("han_variants.txt")
CLASSES = [line for line in DATA.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def verdict_on(quote, source, policy=FOLDED):
    """Return the verdict on one quote."""
    return assess_quotes([quote], source, policy=policy)[0]


@pytest.mark.parametrize(
    ("source", "quote", "passage"),
    [
        pytest.param(TRADITIONAL, "他们说要发展农村经济", "他們說要發展農村經濟", id="simplified-quote"),
        pytest.param(SIMPLIFIED, "他們說要發展農村經濟", "他们说要发展农村经济", id="traditional-quote"),
        pytest.param(TRADITIONAL, "他们說要發展农村经济", "他們說要發展農村經濟", id="both-in-one-quote"),
        pytest.param(
            "頭髮白了,她發現後面的皇后。", "头发白了,她发现后面的皇后", "頭髮白了,她發現後面的皇后", id="united"
        ),
        pytest.param(TRADITIONAL, "投资五百万元", "投資五百萬元", id="numeral"),
        pytest.param("他說\uf90a好。", "他说金好", "他說\uf90a好", id="compatibility-ideograph"),
        pytest.param("他\u2f94語很好", "他言语很好", "他\u2f94語很好", id="radical"),
        pytest.param(KATAKANA, "がらすのこっぷ", "ガラスノコップ", id="hiragana-quote"),
        pytest.param("これはがらすのこっぷです。", "ガラスノコップ", "がらすのこっぷ", id="katakana-quote"),
        pytest.param(KATAKANA, "ｶﾞらｽﾉｺｯﾌﾟ", "ガラスノコップ", id="half-width-quote"),
        pytest.param("これはｶﾞﾗｽﾉｺｯﾌﾟです。", "がらすのこっぷ", "ｶﾞﾗｽﾉｺｯﾌﾟ", id="half-width-source"),
        pytest.param("これはカ\u3099ラスです。", "がらす", "カ\u3099ラス", id="combining-mark-in-the-source"),
        pytest.param(KATAKANA, "か\u3099らす", "ガラス", id="combining-mark-in-the-quote"),
        pytest.param("これはハ\u309cンとカ\u309bムです。", "ぱんとがむ", "ハ\u309cンとカ\u309bム", id="spacing-marks"),
        pytest.param(KATAKANA, "か\u309bらす", "ガラス", id="spacing-mark-in-the-quote"),
        pytest.param("みすゞといすヾ", "ミスヾトイスゞ", "みすゞといすヾ", id="iteration-marks"),
    ],
)
def test_variants_match_with_the_fold_alone(source, quote, passage):
    """The span cuts the source's own words; without the fold, the quote is not accepted."""
    verdict = verdict_on(quote, source)
    start = source.index(passage)
    match = verdict.match
    assert (verdict.quote, verdict.status, verdict.accepted) == (quote, QuoteStatus.NORMALIZED, True)
    assert (match.start, match.end, match.text, match.kind) == (start, start + len(passage), passage, "normalized")
    assert QuoteReason.VARIANTS in verdict.reasons
    plain = verdict_on(quote, source, QuotePolicy())
    assert not plain.accepted
    assert QuoteReason.VARIANTS not in plain.reasons


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        pytest.param("ＡＢＣ２０２６", "ABC2026年", id="full-width"),
        pytest.param("ｶﾞﾗｽ", KATAKANA, id="half-width-katakana"),
        pytest.param("他們說要", TRADITIONAL, id="as-written"),
        pytest.param("I can't sleep", "I can’t  sleep", id="latin"),
    ],
)
def test_what_matches_already_stays_the_same(quote, source):
    """The fold changes no verdict on a quote that is found as written."""
    assert verdict_on(quote, source) == verdict_on(quote, source, QuotePolicy())


@pytest.mark.parametrize(
    ("quote", "source", "reason"),
    [
        pytest.param("他们说要投资三百万元", "他們說要投資五百萬元。", "number", id="number"),
        pytest.param("百万元", "公司決定投資五百萬元。", "number", id="part-of-a-number"),
        pytest.param("5がつのかいぎ", "15ガツノカイギです。", "number", id="part-of-a-number-in-digits"),
        pytest.param("公司决定投资五百万元", "公司沒有決定投資五百萬元。", "negation", id="negation-dropped"),
        pytest.param("公司没有决定投资五百万元", "記者報導,公司決定投資五百萬元。", "negation", id="negation-added"),
        pytest.param("ｿﾉﾖﾙわたしはたべる", "そのよるわたしはたべない。", "negation", id="negation-in-kana"),
        pytest.param("会议在3月5日结束", "會議在3月7日結束。", "date", id="date"),
        pytest.param("他们说要发展农村工业", "他們說要發展農村經濟。", "wording", id="word"),
    ],
)
def test_a_difference_in_meaning_is_altered_in_any_variant(quote, source, reason):
    """Ruling A9: a changed number, negation or word is not accepted, and the fold is named beside it."""
    verdict = verdict_on(quote, source, QuotePolicy(fold_variants=True, threshold=0.7))
    assert (verdict.status, verdict.accepted) == (QuoteStatus.ALTERED, False)
    assert {reason, "variants"} <= set(verdict.reasons)


def test_differences_refer_to_the_quote_as_written():
    """Their texts and spans are those of the quote and the source, also behind letters of two characters."""
    quote, source = "がらすのこっぷは3こ", "ｶﾞﾗｽﾉｺｯﾌﾟﾊ5ｺです。"
    (difference,) = verdict_on(quote, source).differences
    assert (difference.quote_text, difference.source_text) == ("3こ", "5ｺ")
    assert quote[slice(*difference.quote_span)] == "3こ"
    assert source[slice(*difference.source_span)] == "5ｺ"


def test_a_quote_with_another_particle_is_near():
    """Fuzzy matching works on folded texts, and shows only the difference that is left."""
    verdict = verdict_on("ワタシはソノホンがスキデス", "わたしはそのほんをすきです。")
    assert (verdict.status, verdict.accepted, verdict.match.kind) == (QuoteStatus.NEAR, True, "fuzzy")
    assert [(each.quote_text, each.source_text) for each in verdict.differences] == [("が", "を")]


def test_an_elided_quote_has_the_spans_of_its_parts():
    """Each part is found in the source's variants; an omitted negation still makes it altered."""
    verdict = verdict_on("记者报导……要发展农村经济", TRADITIONAL)
    assert (verdict.status, verdict.accepted) == (QuoteStatus.ELIDED, True)
    assert [TRADITIONAL[slice(*span)] for span in verdict.all_spans] == ["記者報導", "要發展農村經濟"]
    assert verdict_on("公司……决定投资", TRADITIONAL).status is QuoteStatus.ALTERED


@pytest.mark.parametrize(
    ("quote", "source", "status", "start", "spans"),
    [
        pytest.param("ソレ", "それとそれ", "normalized", 0, ((0, 2), (3, 5)), id="one-spelling"),
        pytest.param("それ", "ソレとそれと中", "exact", 3, ((0, 2), (3, 5)), id="as-written-and-otherwise"),
        pytest.param("ソれ", "ソレとそれ", "normalized", 0, ((0, 2), (3, 5)), id="two-spellings"),
        pytest.param("5カイ", "15かいと5かい", "normalized", 5, ((5, 8),), id="a-part-of-a-number"),
        pytest.param("5カイ", "15かいとカイ5かゐ5ｶｲ", "normalized", 10, ((10, 13),), id="a-number-in-other-spellings"),
    ],
)
def test_every_occurrence_in_any_variant_has_a_span(quote, source, status, start, spans):
    """The match is the occurrence as written, else the first; part of a longer number is no occurrence."""
    verdict = verdict_on(quote, source)
    assert (verdict.status.value, verdict.match.start, verdict.all_spans) == (status, start, spans)


def test_a_policy_of_exact_quotes_accepts_no_variants():
    """A quote in other variants is normalized, not exact."""
    verdict = verdict_on("他们说要发展", TRADITIONAL, QuotePolicy(fold_variants=True, accept={"exact"}))
    assert (verdict.status, verdict.accepted) == (QuoteStatus.NORMALIZED, False)


def test_several_sources():
    """A source in other variants holds the quote; with a cited source, it is found elsewhere."""
    sources = Sources([("one", "今天下雨了。"), ("two", TRADITIONAL), ("three", SIMPLIFIED)])
    verdicts = assess_quotes(["今天下雨", "記者報導", "记者报导"], sources, policy=FOLDED)
    assert [(each.status.value, each.source) for each in verdicts] == [
        ("exact", "one"),
        ("exact", "two"),
        ("exact", "three"),
    ]
    verdict = verdict_on("他们说", Sources([("one", "今天下雨了。"), ("two", TRADITIONAL)]))
    assert (verdict.status, verdict.source, verdict.match.text) == (QuoteStatus.NORMALIZED, "two", "他們說")
    (verdict,) = assess_quotes(
        ["記者報導"], Sources([("one", "今天下雨。"), ("three", TRADITIONAL)]), policy=FOLDED, cited=0
    )
    assert verdict.status is QuoteStatus.FOUND_ELSEWHERE


def test_speakers():
    """The words of another speaker are not accepted in any variant; turns refer to the source."""
    talk = read_transcript("Ellie: 你睡得好嗎?\nAnna: 我睡得很壞,頭髮也白了。\nEllie: 我也沒睡好。\n")
    (own, other) = assess_quotes(
        [Quote("我睡得很坏,头发", speaker="Anna"), Quote("我也没睡好", speaker="Anna")], talk, policy=FOLDED
    )
    assert (own.status, own.accepted, own.speakers) == (QuoteStatus.NORMALIZED, True, ("Anna",))
    assert talk.text[own.match.start : own.match.end] == own.match.text == "我睡得很壞,頭髮"
    assert (other.status, other.accepted, other.speakers) == (QuoteStatus.WRONG_SPEAKER, False, ("Ellie",))


def test_documents():
    """The match of a document has its path."""
    page = "<h1>報導</h1><p>他們說要發展農村經濟。</p>"
    document = read_document(f"<!doctype html><html><body>{page}</body></html>".encode(), name="page.html")
    verdict = verdict_on("他们说要发展农村经济", document)
    assert (verdict.status, verdict.match.text) == (QuoteStatus.NORMALIZED, "他們說要發展農村經濟")
    assert document.text[verdict.match.start : verdict.match.end] == verdict.match.text


def test_the_nearest_passage_of_an_absent_quote():
    """It is that of the folded texts, and its differences are those that are left."""
    nearest = verdict_on("他们说要发展城市和一些工业", TRADITIONAL).nearest
    assert nearest.text.startswith("他們說要發展")
    assert TRADITIONAL[nearest.start : nearest.end] == nearest.text
    assert not any("们" in each.quote_text for each in nearest.differences)


def test_a_source_is_folded_once():
    """All calls use the same folded source, which lives no longer than its original."""
    source = Source(TRADITIONAL, profile="typographic", name="talk", marks=["braces"])
    folded = folded_source(source)
    assert folded_source(source) is folded
    assert (folded.text, folded.name, folded.marks) == (fold_variants(TRADITIONAL), "talk", ("braces",))
    kept = weakref.ref(folded)
    del source, folded
    gc.collect()
    assert kept() is None


# Each unit of a text, in all of its spellings: a class of Chinese characters without numbers, or a kana letter.
HAN = [row for row in CLASSES if not any(map(str.isnumeric, row))]
HALF_WIDTH = {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in range(0xFF66, 0xFF9E)}
MARKS = {"\u3099": ("\u3099", "\u309b", "\uff9e"), "\u309a": ("\u309a", "\u309c", "\uff9f")}


def spellings_of_letter(katakana):
    """Return the spellings of a katakana letter."""
    hiragana = chr(ord(katakana) - 0x60)
    letter, mark = (unicodedata.normalize("NFD", katakana) + " ")[:2]
    bases = [letter, chr(ord(letter) - 0x60), *HALF_WIDTH.get(letter, "")]
    return [katakana, hiragana, *(base + each for base in bases for each in MARKS.get(mark, ()))]


KANA = [spellings_of_letter(chr(code)) for code in range(0x30A1, 0x30F5)]


@st.composite
def respelled(draw, *, has_kana):
    """Return a text, a span of it, and the words of the span in other spellings."""
    unit = st.sampled_from(HAN) | st.sampled_from(KANA) if has_kana else st.sampled_from(HAN)
    units = draw(st.lists(unit, min_size=4, max_size=30, unique_by=lambda unit: unit[0]))
    text = [draw(st.sampled_from(unit)) for unit in units]
    first = draw(st.integers(0, len(units) - 2))
    last = draw(st.integers(first + 2, len(units)))
    quote = "".join(draw(st.sampled_from(unit)) for unit in units[first:last])
    start = len("".join(text[:first]))
    return "".join(text), start, start + len("".join(text[first:last])), quote


def compared(text):
    """Return a text as the fold compares it."""
    return normalize(fold_variants(text), profile="typographic")


@settings(max_examples=examples(400))
@given(respelled(has_kana=True))
def test_a_respelled_quote_is_found_to_the_character(case):
    """The span cuts words that fold to the folded quote, at the place that they come from if it is spelled like it."""
    text, start, end, quote = case
    verdict = verdict_on(quote, text)
    assert verdict.status in {QuoteStatus.EXACT, QuoteStatus.NORMALIZED}
    assert text[verdict.match.start : verdict.match.end] == verdict.match.text
    assert compared(verdict.match.text) == compared(quote)
    assert (start, end) in verdict.all_spans


@settings(max_examples=examples(400))
@given(st.text(st.sampled_from("".join(map("".join, [*CLASSES[:400], *KANA])) + "no不沒三５5 ,。[]…\n"), max_size=30))
def test_the_fold_keeps_offsets(text):
    """It is idempotent, and keeps the length and every character that has no variants."""
    folded = fold_variants(text)
    assert len(folded) == len(text)
    assert fold_variants(folded) == folded
    assert compared(unicodedata.normalize("NFKC", folded)) == compared(folded)


@settings(max_examples=examples(200))
@given(respelled(has_kana=False), st.sampled_from(["不", "没", "三", "十", "只", "都"]))
def test_a_folded_verdict_is_that_on_the_quote_in_the_spelling_of_the_source(case, word):
    """A changed quote has the verdict that it has in the source's own characters; the fold adds nothing else."""
    text, start, end, quote = case
    middle = len(quote) // 2
    written, own = (f"{words[:middle]}{word}{words[middle:]}" for words in (quote, text[start:end]))
    verdict, expected = verdict_on(written, text), verdict_on(own, text)
    assert (verdict.status, verdict.accepted) == (
        QuoteStatus.NORMALIZED if expected.status is QuoteStatus.EXACT and written != own else expected.status,
        expected.accepted,
    )


def test_each_class_has_one_representative_that_nfkc_keeps():
    """No character is in two classes, and the first one stands for all."""
    characters = "".join(CLASSES)
    assert len(CLASSES) == 6_212
    assert len(set(characters)) == len(characters)
    for row in CLASSES:
        assert list(row) == sorted(row)
        assert {fold_variants(each) for each in row} == {row[0]}
        assert unicodedata.normalize("NFKC", row[0]) == row[0]


def test_the_data_have_their_licence_beside_them():
    """The package is small, and carries the notice that Unicode asks for."""
    licence = DATA.with_suffix(".LICENSE.txt").read_text(encoding="utf-8")
    assert licence.startswith("han_variants.txt: Unihan database 14.0.0")
    assert "Copyright © 1991-2021 Unicode, Inc." in licence
    assert DATA.stat().st_size < 60_000


def test_no_class_has_two_numbers():
    """A folded number is the same number."""
    for row in [*CLASSES, *map("".join, KANA)]:
        assert len({unicodedata.numeric(each) for each in row if each.isnumeric()}) <= 1


@pytest.mark.parametrize("language", ["zh", "ja"])
def test_no_negation_folds_to_another_word(language):
    """A negation equals only words that are negations too."""
    negations = word_list(language, "polarity", "negations")
    others = {
        word
        for section, names in {
            "function": ["articles", "pronouns", "prepositions", "conjunctions", "present", "past", "fillers"],
            "modality": ["modals", "hedges", "frequencies"],
            "quantity": ["quantifiers", "limiters", "more_than", "less_than", "at_least", "at_most"],
        }.items()
        for name in names
        for word in word_list(language, section, name)
    } - negations
    assert not {fold_variants(word) for word in negations} & {fold_variants(word) for word in others}
