"""Explanations of verdicts: sentences with the values that were found and those that would pass."""

from dataclasses import replace

import pytest

from groundwire import Sources, Transcript, read_transcript
from groundwire.evidence import EXPLANATIONS, REASONS, Quote, QuotePolicy, QuoteReason, assess_quotes, explain
from groundwire.evidence.explanations import explain_reason

SOURCE = "You should take 15 mg daily, unless you feel dizzy. We never close the clinic at 5 pm."


def explained(quote, source=SOURCE, **options):
    """Return the sentences about one quote."""
    policy = options.pop("policy", None)
    verdict = assess_quotes([quote], source, policy=policy)[0]
    return explain(verdict, policy=policy, **options)


@pytest.fixture
def talk() -> Transcript:
    """A transcript with two speakers."""
    return read_transcript("Adam Stacoviak: What do you drink?\n\nJerod Santo: Mostly water, since 2019.\n")


@pytest.mark.parametrize(
    ("quote", "sentences"),
    [
        pytest.param(
            "We never close the clinic at 6 pm.", ["The passage says 5 pm; the quote says 6 pm."], id="value-changed"
        ),
        pytest.param("We close the clinic at 5 pm.", ["The quote omits “never”."], id="word-omitted"),
        pytest.param("We never quietly close the clinic at 5 pm.", ["The quote adds “quietly”."], id="word-added"),
        pytest.param(
            "take 15 mg daily",
            ["The words directly beside the quote negate or limit it, or make it conditional: “unless”."],
            id="condition-beside-the-quote",
        ),
    ],
)
def test_a_sentence_has_the_words_of_both_sides(quote, sentences):
    """Numbers, dates and times need no quotation marks; other words have them."""
    assert explained(quote) == sentences


def test_a_quote_below_the_threshold_shows_the_best_score_the_threshold_and_the_passage():
    """Without the nearest passage, which takes time to find, the sentence has the threshold only."""
    verdict = assess_quotes(["You could drink 15 ml weekly"], SOURCE)[0]
    assert explain(verdict) == ["No passage is similar enough (threshold 0.85)."]
    (sentence,) = explain(verdict, nearest=verdict.nearest)
    assert sentence.startswith("No passage is similar enough (best 0.")
    assert sentence.endswith(f", threshold 0.85): “{verdict.nearest.text}”")


def test_a_best_score_just_below_the_threshold_is_not_rounded_up():
    """The digits of a score are cut off."""
    verdict = assess_quotes(["You could drink 15 ml weekly"], SOURCE)[0]
    nearest = replace(verdict.nearest, score=0.8499)
    assert "(best 0.84, threshold 0.85)" in explain(verdict, nearest=nearest)[0]


@pytest.mark.parametrize("hundredths", range(101))
def test_two_digits_of_a_score_are_shown_as_they_are(hundredths):
    """In floats, 0.29 * 100 is below 29."""
    verdict = assess_quotes(["You could drink 15 ml weekly"], SOURCE)[0]
    nearest = replace(verdict.nearest, score=hundredths / 100)
    (sentence,) = explain(verdict, policy=QuotePolicy(threshold=1.0), nearest=nearest)
    assert f"(best {hundredths / 100:.2f}, " in sentence or hundredths == 100


def test_a_wrong_speaker_is_named(talk):
    """The sentence names the speaker of the passage."""
    (sentence,) = explained(Quote("Mostly water", speaker="Adam Stacoviak"), talk)
    assert sentence == "Found, but spoken by someone else: Jerod Santo."


def test_an_unknown_speaker_is_named(talk):
    """The sentence has the name from the quote."""
    assert explained(Quote("Mostly water", speaker="Dr. Who"), talk)[-1] == "The source has no speaker “Dr. Who”."


def test_a_quote_from_another_source_names_both_sources():
    """Without the name of the cited source, the sentence names the source that has the quote."""
    sources = Sources([("a.txt", "Nothing here."), ("b.txt", SOURCE)])
    verdict = assess_quotes([Quote("We never close the clinic at 5 pm.", source="a.txt")], sources)[0]
    assert explain(verdict, cited="a.txt")[0] == "The cited source “a.txt” does not contain the quote; “b.txt” does."
    assert explain(verdict)[0] == "The cited source does not contain the quote; “b.txt” does."


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (QuotePolicy(min_words=4), "The quote has 2 words; the policy requires at least 4 words."),
        (QuotePolicy(min_chars=20), "The quote has 10 characters; the policy requires at least 20 characters."),
        (
            QuotePolicy(min_chars=20, min_words=4),
            "The quote has 10 characters and 2 words; the policy requires at least 20 characters and 4 words.",
        ),
    ],
)
def test_a_short_quote_has_its_size_and_the_required_one(policy, sentence):
    """Only the limit that the quote misses is named."""
    assert explained("the clinic", policy=policy) == [sentence]


def test_long_words_are_shortened_and_on_one_line():
    """A sentence stays readable whatever the passage holds."""
    source = "I said the following things to him: " + "no\n" * 100 + "and then I left."
    (sentence, *_) = explained("I said the following things to her: " + "no\n" * 100 + "and then I left.", source)
    assert "\n" not in sentence
    assert len(sentence) < 300


def test_many_differences_of_a_kind_are_counted():
    """The first three are shown, and the number of the others."""
    source = "We sold 1 cup, 2 jugs, 3 pots, 4 pans and 5 lids of the finest sort in our shop by the old church."
    verdict = assess_quotes([source.translate(str.maketrans("12345", "67890"))], source)[0]
    sentence = explain(verdict)[verdict.reasons.index(QuoteReason.NUMBER)]
    assert sentence.count("The passage says") == 3
    assert sentence.endswith("There are 2 more such differences.")


@pytest.mark.parametrize("reason", QuoteReason)
def test_a_reason_without_values_has_its_meaning_as_a_sentence(reason):
    """Every reason has a sentence."""
    assert explain_reason(reason, ()) == f"{REASONS[reason][0].upper()}{REASONS[reason][1:]}."


def test_every_template_belongs_to_a_reason_and_is_a_sentence():
    """The catalogue has no template that is never used."""
    assert set(EXPLANATIONS) <= set(QuoteReason)
    assert all(each[0].isupper() or each[0] == "{" for templates in EXPLANATIONS.values() for each in templates)
