"""One small text for each rule: paraphrases and contradictions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.faithfulness import ClaimResult, ClaimStatus, FaithfulnessValidator, MatchKind

SUPPORTED, UNSUPPORTED = ClaimStatus.SUPPORTED, ClaimStatus.UNSUPPORTED


def result_of(claim: str, said: object) -> ClaimResult:
    """Return the result of one claim."""
    (found,) = FaithfulnessValidator().validate(persona={"facts": [claim]}, source_data=said).claim_details
    return found


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("He is 46 years old.", "Omar Haddad, 46, plans the routes."),
        ("He quit smoking.", "I have stopped smoking."),
        ("She would like a bigger kitchen.", "I'd love a bigger kitchen."),
        ("He distrusts the new app.", "I do not trust the new app."),
        ("He did not pass the driving test.", "I failed the driving test."),
    ],
)
def test_a_paraphrase_is_supported(claim, said):
    """It is supported and not contradicted."""
    found = result_of(claim, said)
    assert (found.status, found.contradicted) == (SUPPORTED, False), (found.confidence, found.contradictions)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("She leads the book club on Mondays.", "On Mondays I run the book club."),
        ("He drove a taxi in Lyon.", "He drives a taxi in Lyon."),
        ("She has taught chemistry for twelve years.", "I teach chemistry. I've been doing that for twelve years."),
        ("She prepares lessons at home.", "Interviewer: How do you prepare lessons?\nAda: Mostly at home.\n"),
        ("Her husband Jakob is a carpenter.", "I'm married to Jakob, he is a carpenter."),
        ("She no longer plays the flute.", "I used to play the flute."),
        ("She dislikes video calls.", "I can't stand video calls."),
        ("She used to be an accountant.", "I was an accountant."),
        ("She worries about the range of vans in winter.", "I worry that the range of vans will not do in winter."),
        ("She plays the flute.", "I used to play the flute."),
        ("She uses Google Classroom.", "I tried Google Classroom for a year and gave it up."),
        ("She drinks coffee.", "I gave up drinking coffee last spring."),
        ("He never swims.", "He swims twice a week and has stopped smoking."),
        ("He voted against the strike.", "I voted for the strike."),
        ("He sleeps well before early shifts.", "I sleep badly before early shifts."),
        ("她喜欢喝咖啡。", "我讨厌喝咖啡。"),
    ],
)
def test_missing_counterparts_are_not_support(claim, said):
    """A word without a counterpart, or another tense, is not supported (ruling D13), but not contradicted either."""
    found = result_of(claim, said)
    assert (found.status, found.contradicted) == (UNSUPPORTED, False), (found.confidence, found.contradictions)


def test_a_more_general_word_is_supported():
    """A son is a child (ruling D13: each word has a counterpart); the reverse does not hold."""
    assert result_of("His child plays chess in Ghent.", "My son plays chess in Ghent.").status == "SUPPORTED"
    assert result_of("His son plays chess in Ghent.", "My child plays chess in Ghent.").status == UNSUPPORTED


@pytest.mark.parametrize(
    ("field", "value", "said", "contradicted"),
    [
        ("preferences", "email", "I hate checking emails.", True),
        ("preferences", "prefers email", "I hate checking emails.", True),
        ("preferred channel", "she prefers email", "I hate checking emails.", True),
        ("preferences", "prefers email", "I love email.", False),
        ("preferences", "avoids phone calls", "I love phone calls.", True),
        ("preferences", "avoids phone calls", "I can't stand phone calls.", False),
        ("dislikes", "hates phone calls", "I love phone calls.", True),
        ("dislikes", "avoiding conflict", "I hate conflict.", False),
    ],
)
def test_a_stance_in_a_field_of_stances(field, value, said, contradicted):
    """The value's own verb decides (ruling D9), or else the field's name."""
    (found,) = FaithfulnessValidator().validate(persona={field: value}, source_data=said).claim_details
    assert found.contradicted is contradicted


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("She leads the book club on Mondays.", "My sister runs the book club on Mondays."),
        ("His son plays chess in Ghent.", "My child plays chess in Ghent."),
        ("She has taught chemistry for nine years.", "I teach chemistry. I've been doing that for twelve years."),
        ("He has four sons.", "He has two sons. He starts at four."),
        ("Her husband Martin is a carpenter.", "I'm married to Jakob, he is a carpenter."),
        ("She often uses dry needling.", "I did a course in dry needling, but I rarely use it."),
        ("He teaches physics in Graz.", "I teach chemistry in Graz."),
    ],
)
def test_other_claims_are_not_supported(claim, said):
    """Another person, a narrower word, another number or another name is not supported."""
    assert result_of(claim, said).status is UNSUPPORTED


@pytest.mark.parametrize(
    ("claim", "said", "kind"),
    [
        ("He knows why it ended that way.", "I don't know why it ended that way.", MatchKind.NEGATION),
        ("Overtime is not paid.", "Overtime is paid, but he refuses overtime on Saturdays.", MatchKind.NEGATION),
        ("He passed the English test.", "I failed the English test.", MatchKind.OPPOSITE),
        ("He distrusts the new app.", "I trust the new app.", MatchKind.OPPOSITE),
    ],
)
def test_a_contradiction_is_found(claim, said, kind):
    """The claim is contradicted by that rule."""
    found = result_of(claim, said)
    assert kind in [each.kind for each in found.contradictions]
    assert (found.status, found.confidence) == (UNSUPPORTED, 0.0)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("His shift starts at 3:30.", "A shift begins at 3:30 and ends around noon."),
        ("He decided to live off campus, but he does not drive.", "I decided to live off campus, but I don't drive."),
        ("Revenues in Q2 increased.", "Revenues in the second quarter increased."),
        ("He used to live in Rome.", "I lived in Rome. I do not live in Rome."),
        ("She dislikes the idea of cameras in the cab.", "Cameras in the cab are a bad idea."),
    ],
)
def test_a_difference_without_contradiction(claim, said):
    """These only resemble contradictions."""
    assert result_of(claim, said).contradictions == ()


@pytest.mark.parametrize(
    ("claim", "said", "kind"),
    [
        ("Sie mag lange Besprechungen.", "Ich hasse lange Besprechungen.", MatchKind.PREFERENCE),
        ("Sie arbeitet gern im Garten.", "Ich arbeite nicht gern im Garten.", MatchKind.NEGATION),
        ("Er ist mit der Firma zufrieden.", "Ich bin mit der Firma unzufrieden.", MatchKind.OPPOSITE),
        ("Ella odia el café.", "Me encanta el café.", MatchKind.PREFERENCE),
        ("Ella siempre trabaja desde casa.", "Nunca trabaja desde casa.", MatchKind.NEGATION),
        ("Elle aime les réunions du lundi.", "Je n'aime pas les réunions du lundi.", MatchKind.PREFERENCE),
        ("Elle habite à Lyon avec son mari.", "Elle habite à Lyon sans son mari.", MatchKind.NEGATION),
        ("她喝咖啡。", "我不喝咖啡。", MatchKind.NEGATION),
    ],
)
def test_a_contradiction_is_found_in_other_languages(claim, said, kind):
    """The languages are German, Spanish, French and Chinese."""
    found = result_of(claim, said)
    assert kind in [each.kind for each in found.contradictions]
    assert found.status is UNSUPPORTED


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Sie mag lange Besprechungen.", "Ich mag lange Besprechungen."),
        ("Sie mag lange Besprechungen nicht.", "Ich hasse lange Besprechungen."),
        ("Ella odia el café.", "Odia el café por la noche."),
        ("Elle n'aime pas les réunions.", "Je déteste les réunions."),
        ("她喝咖啡。", "我喝咖啡。"),
    ],
)
def test_claims_in_other_languages_are_not_contradicted(claim, said):
    """No contradiction is found."""
    assert result_of(claim, said).contradictions == ()


def test_a_passage_is_weak_and_says_where():
    """Words from several sentences are about the subject, but do not support the claim."""
    said = "We met at the station. The train to Ghent was late. Then Nora bought bread for the trip."
    found = result_of("Nora bought a ticket to Ghent at the station.", said)
    assert found.status is UNSUPPORTED
    assert 0.0 < found.confidence < 0.6
    best = found.near_misses[0]
    assert best.unit.text[best.start : best.end] in said


CLAIMS = [
    "She plays the flute.",
    "She likes long meetings.",
    "He never smokes.",
    "She has two dogs.",
    "He lives in Rome.",
]
AGAINST = [
    "I stopped playing the flute.",
    "I hate long meetings.",
    "I smoke.",
    "I have five dogs.",
    "I do not live in Rome.",
]
SAID = [
    *("I play the flute.", "I like long meetings.", "I never smoke.", "I have two dogs.", "I live in Rome."),
    *("We eat late.", "Rome is far away.", "The dogs sleep.", "Meetings are long here.", "My sister plays chess."),
]


@given(
    place=st.integers(0, len(CLAIMS) - 1),
    said=st.lists(st.sampled_from(SAID), max_size=6),
    at=st.integers(0, 6),
)
def test_a_contradiction_added_never_raises_a_status(place, said, at):
    """This holds at any position."""
    before = result_of(CLAIMS[place], [(str(number), text) for number, text in enumerate([*said, "Nothing."])])
    more = [*said[:at], AGAINST[place], *said[at:]]
    after = result_of(CLAIMS[place], [(str(number), text) for number, text in enumerate(more)])
    assert not (before.status is UNSUPPORTED and after.status is SUPPORTED)


@given(
    claim=st.sampled_from(CLAIMS),
    said=st.lists(st.sampled_from([*SAID, *AGAINST]), min_size=1, max_size=6),
    data=st.data(),
)
def test_the_order_of_sources_does_not_matter(claim, said, data):
    """Status, confidence and contradiction stay the same."""
    shuffled = data.draw(st.permutations(said))
    found = [result_of(claim, [(f"{place}", text) for place, text in enumerate(texts)]) for texts in (said, shuffled)]
    assert len({(each.status, each.confidence, each.contradicted) for each in found}) == 1
