"""Allowed and forbidden changes between a passage and a quote: one table for each ruling."""

import pytest

from groundwire.evidence import MEANING, Quote, QuoteStatus, assess_quotes
from groundwire.transcripts import read_transcript

from .assessed import reasons_of
from .differing import kinds_between


def verdict_in_a_text(quote: str, passage: str):
    """Return the verdict on *quote* in a text that has *passage* among other sentences."""
    return assess_quotes([quote], f"It was a long meeting. {passage} After that we all went home.")[0]


REST = ", as everybody in the parish heard from the sexton."
"""With it, a changed word leaves a quote above the threshold."""


def rows(table: dict[str, list[tuple[str, ...]]]) -> list:
    """Return the rows of a table by subject, each with its subject and number as id."""
    return [
        pytest.param(*row, id=f"{subject}-{number}")
        for subject, group in table.items()
        for number, row in enumerate(group, 1)
    ]


# (quote, passage) with the same meaning, or nearly so.
SAME_CONTENT = {
    "slip": [
        ("The gardener watered the rosse before noon", "The gardener watered the roses before noon"),
        ("The libary keeps the old maps in the cellar", "The library keeps the old maps in the cellar"),
        ("The carpenter repiared the stairs on his own", "The carpenter repaired the stairs on his own"),
        ("Eleven workres slept in the barn that week", "Eleven workers slept in the barn that week"),
        ("The rnagistrate heard both sides at length", "The magistrate heard both sides at length"),
        ("The ferry leaves from Brindlemoor at dawn", "The ferry leaves from Brindelmoor at dawn"),
        ("The roof was paid for on Tuseday by the parish", "The roof was paid for on Tuesday by the parish"),
        ("There were twelv lanterns along the pier", "There were twelve lanterns along the pier"),
        ("We could hrdly see the other bank of the river", "We could hardly see the other bank of the river"),
    ],
    "slip-of-the-source": [
        ("The lighthouse keeper painted the door himself", "The lighthouse keeper painted the dooor himself"),
        ("The weather was fine on the whole crossing", "The weathr was fine on the whole crossing"),
    ],
    "spelling-variant": [
        ("The harbor master recognized the gray hull", "The harbour master recognised the grey hull"),
        ("They organised a programme for the labourers", "They organized a program for the laborers"),
        ("The theater canceled its jewelry auction", "The theatre cancelled its jewellery auction"),
        ("She was well known among the bee keepers", "She was well-known amongst the beekeepers"),
    ],
    "inflection": [
        ("The bakers deliver their breads to the school", "The baker delivers their bread to the school"),
        ("The choir sings in the yard every evening", "The choir sang in the yard every evening"),
        ("The miller goes to the weir on horseback", "The miller went to the weir on horseback"),
    ],
    "filler": [
        ("So the tide came in and we lost the boat", "So, um, the tide came in and, uh, we lost the boat"),
        ("I was, you know, glad to see the harbour again", "I was glad to see the harbour again"),
        ("Well, the mill stands behind the chapel", "The mill stands behind the chapel"),
        ("It was, I mean, a difficult winter for the farm", "It was a difficult winter for the farm"),
    ],
    "repetition": [
        ("I went to the market to buy some thread", "I went to the, to the market to buy some thread"),
        ("They were very proud of the new organ", "They were they were very proud of the new organ"),
        ("We have not seen the surveyor since", "We have not have not seen the surveyor since"),
    ],
    "article": [
        ("We found key under a stone by the gate", "We found the key under the stone by the gate"),
        ("The mayor gave us a tour of the old town", "The mayor gave us the tour of old town"),
    ],
    "function-word": [
        ("He took all of the letters off of the shelf", "He took all the letters off the shelf"),
        ("The bridge which we crossed was narrow", "The bridge that we crossed was narrow"),
        ("She said the cellar was full of water", "She said that the cellar was full of water"),
    ],
}

SAME_FORM = {
    "contraction": [
        ("I do not think they will sell the orchard", "I don't think they'll sell the orchard"),
        ("She cannot swim and would not learn it", "She can't swim and wouldn't learn it"),
        ("It's late and we're tired of the noise", "It is late and we are tired of the noise"),
        ("They have never seen what you've built", "They've never seen what you have built"),
    ],
    "number": [
        ("They planted 23 pear trees along the canal", "They planted twenty-three pear trees along the canal"),
        ("The cellar holds 12000 bottles of cider", "The cellar holds 12,000 bottles of cider"),
        ("The cellar holds twelve thousand bottles of cider", "The cellar holds 12,000 bottles of cider"),
        ("The town has 1.5 million visitors a year", "The town has 1,500,000 visitors a year"),
        ("Half of the nets were torn in the storm", "1/2 of the nets were torn in the storm"),
        ("None of the dozen ladders reached the roof", "None of the twelve ladders reached the roof"),
    ],
    "ordinal": [
        ("They live on the 3rd floor of the tower", "They live on the third floor of the tower"),
        ("It was her 21st voyage to the islands", "It was her twenty-first voyage to the islands"),
    ],
    "unit": [
        ("The path is 14 km long and mostly flat", "The path is fourteen kilometres long and mostly flat"),
        ("The weir lets 90 m3/s through in spring", "The weir lets 90 cubic metres per second through in spring"),
        ("The sack weighed 40kg when it was dry", "The sack weighed 40 kilograms when it was dry"),
        ("The oven reaches 250 °C in an hour", "The oven reaches 250 degrees Celsius in an hour"),
    ],
    "percent": [
        ("About 30% of the seedlings survived", "About 30 percent of the seedlings survived"),
        ("Turnout rose by 4.5 per cent in the valley", "Turnout rose by 4.5% in the valley"),
    ],
    "currency": [
        ("The bell cost $3,400 including the rope", "The bell cost 3,400 dollars including the rope"),
        ("The toll is 6 euros for a cart", "The toll is €6 for a cart"),
        ("They raised $2 million for the new pier", "They raised 2,000,000 dollars for the new pier"),
    ],
    "date": [
        ("The dam broke on 14 March 1911 at night", "The dam broke on March 14, 1911 at night"),
        ("The lease ends on the 2nd of October", "The lease ends on October 2"),
        ("They reopened the kiln on 5 Sept. 2003", "They reopened the kiln on 5 September 2003"),
    ],
    "time": [
        ("The gates open at 9 a.m. for the growers", "The gates open at 9:00 for the growers"),
        ("The last tram leaves at 22:45 from the quay", "The last tram leaves at 10:45 p.m. from the quay"),
        ("The bell rings at noon for the pickers", "The bell rings at 12 p.m. for the pickers"),
    ],
    "title": [
        ("Doctor Albright examined the calf twice", "Dr. Albright examined the calf twice"),
        ("Professor Okafor dated the timbers herself", "Prof. Okafor dated the timbers herself"),
        ("Mister Lindqvist lent them his tractor", "Mr. Lindqvist lent them his tractor"),
    ],
}

# (quote, passage, kind) with a changed meaning.
CHANGED = {
    "number": [
        ("They planted 32 pear trees along the canal", "They planted 23 pear trees along the canal", "number"),
        (
            "They planted thirty pear trees along the canal",
            "They planted thirteen pear trees along the canal",
            "number",
        ),
        ("The cellar holds 1,200 bottles of cider", "The cellar holds 12,000 bottles of cider", "number"),
        ("It was -7 degrees in the boathouse at dawn", "It was 7 degrees in the boathouse at dawn", "number"),
        ("It takes 3 to 4 weeks to cure the clay", "It takes 3 to 6 weeks to cure the clay", "number"),
        ("The pear trees along the canal were old", "The 23 pear trees along the canal were old", "number"),
    ],
    "ordinal": [
        ("They live on the fourth floor of the tower", "They live on the third floor of the tower", "number"),
    ],
    "unit": [
        ("The path is 14 miles long and mostly flat", "The path is 14 km long and mostly flat", "unit"),
        ("She added 20 ml of vinegar to the dye", "She added 20 l of vinegar to the dye", "unit"),
        ("The pump moves 90 litres per minute", "The pump moves 90 litres per hour", "unit"),
    ],
    "percent": [
        ("Turnout rose by 4 percentage points in the valley", "Turnout rose by 4 percent in the valley", "unit"),
        ("About 30 of the seedlings survived", "About 30% of the seedlings survived", "unit"),
    ],
    "currency": [
        ("The bell cost £3,400 including the rope", "The bell cost $3,400 including the rope", "unit"),
    ],
    "date": [
        ("The dam broke on 14 May 1911 at night", "The dam broke on 14 March 1911 at night", "date"),
        ("The dam broke on 14 March 1919 at night", "The dam broke on 14 March 1911 at night", "date"),
        ("The choir meets on Thursday in the chapel", "The choir meets on Tuesday in the chapel", "date"),
        ("The mill closed this year for repairs", "The mill closed last year for repairs", "date"),
        ("The surveyor comes tomorrow with the plans", "The surveyor came yesterday with the plans", "date"),
    ],
    "time": [
        ("The gates open at 9 p.m. for the growers", "The gates open at 9 a.m. for the growers", "time"),
        ("The last tram leaves at 22:15 from the quay", "The last tram leaves at 22:45 from the quay", "time"),
    ],
    "title": [
        ("Judge Albright examined the calf twice", "Dr. Albright examined the calf twice", "name"),
    ],
    "name": [
        ("Then Halvorsen lent them his tractor again", "Then Lindqvist lent them his tractor again", "name"),
        ("The ferry leaves from Lisbon at dawn", "The ferry leaves from Bergen at dawn", "name"),
        ("We bought it from Clara Munro in the end", "We bought it from Clara Voigt in the end", "name"),
    ],
    "negation": [
        ("The weir was repaired before the flood came", "The weir was not repaired before the flood came", "negation"),
        ("They never asked the miller for his advice", "They always asked the miller for his advice", "negation"),
        ("She can't swim across the upper lake", "She can swim across the upper lake", "negation"),
        ("No barrel in the shed was empty that day", "The barrel in the shed was empty that day", "negation"),
        ("We crossed the marsh with a guide", "We crossed the marsh without a guide", "negation"),
        ("The letter to Bruges came on Friday", "The letter from Bruges came on Friday", "negation"),
        ("Prices of wool rose to 8 per cent", "Prices of wool rose by 8 per cent", "negation"),
    ],
    "opposite": [
        ("Prices of wool rose in the autumn", "Prices of wool fell in the autumn", "negation"),
        ("The council accepted the plan for the quay", "The council rejected the plan for the quay", "negation"),
        ("The water in the upper well is warm", "The water in the upper well is cold", "negation"),
    ],
    "prefix": [
        ("The lower path is unsafe after heavy rain", "The lower path is safe after heavy rain", "negation"),
        ("The old contract was invalid from the start", "The old contract was valid from the start", "negation"),
        ("It was a harmful dye for the weavers", "It was a harmless dye for the weavers", "negation"),
    ],
    "quantifier": [
        ("All of the nets were torn in the storm", "Most of the nets were torn in the storm", "quantifier"),
        ("Few of the growers voted for the merger", "Many of the growers voted for the merger", None),
        ("Every house in the lane has a well", "Some houses in the lane have a well", "quantifier"),
    ],
    "limiter": [
        ("The dyers use madder for the coarse cloth", "The dyers only use madder for the coarse cloth", "quantifier"),
        ("The store holds 40 tons of grain", "The store holds at least 40 tons of grain", "quantifier"),
        ("The store holds at most 40 tons of grain", "The store holds at least 40 tons of grain", "quantifier"),
        ("Exactly 40 men came to the meeting", "About 40 men came to the meeting", "quantifier"),
    ],
    "modal": [
        ("The tenant may repair the fence himself", "The tenant must repair the fence himself", "modal"),
        ("The tower will fall in the next storm", "The tower could fall in the next storm", "modal"),
        ("The fire started in the drying loft", "The fire probably started in the drying loft", "modal"),
        ("The ferry always stops at the island", "The ferry sometimes stops at the island", "modal"),
    ],
    "condition": [
        ("They will sell the mill if the price falls", "They will sell the mill unless the price falls", "condition"),
        ("The hut is open because it snows", "The hut is open although it snows", "condition"),
        ("All the rooms including the attic were dry", "All the rooms except the attic were dry", "condition"),
        ("She locks the gate before she feeds the dogs", "She locks the gate after she feeds the dogs", None),
    ],
    "tense": [
        ("The chapel is used as a store for hay", "The chapel was used as a store for hay", None),
        ("They will drain the lower meadow", "They have drained the lower meadow", None),
    ],
    "replaced": [
        ("The villagers love the new road", "The villagers despise the new road", None),
        ("The carpenter repaired the stairs on his own", "The carpenter painted the stairs on his own", None),
        ("The child had a severe rash on both arms", "The child had a mild rash on both arms", None),
        ("The roof leaks slowly over the east wing", "The roof leaks badly over the east wing", None),
    ],
    "added": [
        ("The child had a mild rash on both arms", "The child had a rash on both arms", "wording"),
        ("The miller sold the broken wheel to a dealer", "The miller sold the wheel to a dealer", "wording"),
    ],
    "dropped": [
        ("The council approved the bridge", "The council approved the temporary bridge", "wording"),
        ("The guards were paid for the night", "The guards were poorly paid for the night", "wording"),
    ],
    "order": [
        ("The baker sued the brewer over the well", "The brewer sued the baker over the well", "wording"),
    ],
    "slip-that-makes-a-word": [
        ("The gardener watered the noses before noon", "The gardener watered the roses before noon", "wording"),
        ("The farm has three horses by the creek", "The farm has three houses by the creek", "wording"),
    ],
}

# Words before a quote that negate it, and words that do not.
DENIED = [
    pytest.param("There is no way that ", id="no-way"),
    pytest.param("It is not true that ", id="not-true"),
    pytest.param("Nobody believes that ", id="nobody"),
    pytest.param("I don't think that ", id="do-not-think"),
    pytest.param("I doubt that ", id="doubt"),
    pytest.param("The mayor denied that ", id="denied"),
    pytest.param("We waited for a week. It isn't the case that ", id="another-sentence-before"),
]
NOT_DENIED = [
    pytest.param("It is clear that ", id="no-negation"),
    pytest.param("There is no doubt that ", id="no-doubt"),
    pytest.param("It is not only true that ", id="not-only"),
    pytest.param("We were not late. We heard that ", id="negation-of-another-sentence"),
    pytest.param("No one left, and the mayor announced that ", id="negation-of-another-clause"),
    pytest.param("He did not sleep because he knew that ", id="negation-of-what-it-is-the-cause-of"),
]


@pytest.mark.parametrize(("quote", "passage"), rows(SAME_CONTENT))
def test_words_without_content_and_slips_may_differ(quote, passage):
    """Ruling A17: typos, variants, fillers, repetitions, articles and other function words leave a quote near."""
    verdict = verdict_in_a_text(quote, passage + ".")
    assert ([kind for kind in kinds_between(quote, passage) if kind in MEANING], verdict.accepted) == ([], True)


@pytest.mark.parametrize(("quote", "passage"), rows(SAME_FORM))
def test_another_form_of_the_same_thing_is_equal(quote, passage):
    """Ruling A18: numbers, units, money, dates, times, titles and contractions may be written in another form."""
    verdict = verdict_in_a_text(quote, passage + ".")
    assert ([kind for kind in kinds_between(quote, passage) if kind in MEANING], verdict.accepted) == ([], True)


@pytest.mark.parametrize(
    ("passage", "quote"),
    rows({subject: group for subject, group in SAME_CONTENT.items() if "slip" not in subject} | SAME_FORM),
)
def test_equal_meanings_are_equal_in_both_directions(passage, quote):
    """Rulings A17, A18: the forms may be in either text."""
    assert [kind for kind in kinds_between(quote, passage) if kind in MEANING] == []


@pytest.mark.parametrize(("quote", "passage", "kind"), rows(CHANGED))
def test_a_changed_meaning_is_altered(quote, passage, kind):
    """Rulings A9, A17: another number, unit, date, name, polarity, quantity, condition or content word."""
    verdict = verdict_in_a_text(quote + REST, passage + REST)
    kinds = [each for each in reasons_of(verdict) if each in MEANING]
    assert (verdict.status, verdict.accepted) == (QuoteStatus.ALTERED, False)
    assert kinds if kind is None else kind in kinds


@pytest.mark.parametrize(("passage", "quote", "kind"), rows(CHANGED))
def test_a_changed_meaning_is_altered_in_both_directions(passage, quote, kind):
    """Rulings A9, A17: a changed meaning is noticed in both directions."""
    kinds = [each for each in kinds_between(quote, passage) if each in MEANING]
    assert kinds if kind is None else kind in kinds


@pytest.mark.parametrize("before", DENIED)
def test_a_quote_that_its_context_denies_is_not_accepted(before):
    """Ruling A17: the words are in the source, and the negation before them reverses their meaning."""
    verdict = assess_quotes(["the old bridge was closed"], f"{before}the old bridge was closed in the spring.")[0]
    assert (verdict.status, verdict.accepted) == (QuoteStatus.EXACT, False)
    assert reasons_of(verdict) == ["reversed_context"]


@pytest.mark.parametrize("before", NOT_DENIED)
def test_a_negation_elsewhere_does_not_deny_a_quote(before):
    """Ruling A17: a negation counts only before "that" in the quote's own clause."""
    verdict = assess_quotes(["the old bridge was closed"], f"{before}the old bridge was closed in the spring.")[0]
    assert (verdict.accepted, reasons_of(verdict)) == (True, [])


def test_a_negation_in_front_of_a_chinese_quote_denies_it():
    """Ruling A17: 并不是 is directly before the words that it negates."""
    verdict = assess_quotes(["旧桥已经关闭了"], "市长说，并不是旧桥已经关闭了，而是正在修理。我们昨天还走过那座桥。")[0]
    assert (verdict.accepted, reasons_of(verdict)) == (False, ["truncated_condition", "reversed_context"])


def test_a_quote_that_has_the_negation_is_not_denied():
    """Ruling A17: a quote that begins with the negation agrees with the source."""
    text = "There is no way that the old bridge was closed in the spring."
    assert assess_quotes(["There is no way that the old bridge was closed"], text)[0].accepted


@pytest.mark.parametrize(
    "mark",
    ["[unintelligible 00:19:37]", "<laughter>", "(crosstalk)", "[not clear]", "(laughs)", "[inaudible]", "<v Anna>"],
)
@pytest.mark.parametrize(
    ("quote", "is_accepted"),
    [("We sold the boat to the miller", True), ("We did sell the cart to the miller", False)],
    ids=["the-words", "other-words"],
)
def test_the_text_of_a_tag_neither_matches_nor_differs(mark, quote, is_accepted):
    """Ruling A19: its words were not spoken, so they make a quote neither better nor worse."""
    assert verdict_in_a_text(quote, f"We sold the {mark} boat to the miller.").accepted is is_accepted


@pytest.mark.parametrize(
    "quote",
    [
        "laughter crosstalk",
        "unintelligible",
        "\u2026 unintelligible",
        "We sold \u2026 unintelligible",
        "unintelligible \u2026 to the miller",
        "[U]nintelligible",
    ],
)
def test_a_quote_of_a_tag_is_not_accepted(quote):
    """Ruling A19: the text of a tag was not spoken."""
    text = "We sold the boat [unintelligible 00:19:37] to the miller. <laughter crosstalk> It was old."
    assert not assess_quotes([quote], text)[0].accepted


TALK = read_transcript(
    "Ines: The old kiln was sold to a collector in May.\n"
    "Otto: I never liked the kiln, and it was too small.\n"
    "Ines: We kept the wheel.\n"
    "Otto: The wheel is mine.\n"
)


@pytest.mark.parametrize(
    ("text", "speaker", "status", "speakers"),
    [
        pytest.param("it was too small", "Otto", "exact", ("Otto",), id="said"),
        pytest.param("it was too small", "Ines", "wrong_speaker", ("Otto",), id="said-by-another"),
        pytest.param("the kiln was too smal", "Ines", "absent", (), id="said-by-nobody"),
        pytest.param("The old kiln was sold to a colector", "Otto", "wrong_speaker", ("Ines",), id="near-of-another"),
        pytest.param("The old kiln was sold to a colector", "Ines", "near", ("Ines",), id="near"),
        pytest.param("The old kiln was sold to a dealer in May", "Ines", "altered", ("Ines",), id="altered"),
        pytest.param("We kept the wheel. The wheel is mine", "Ines", "wrong_speaker", ("Ines", "Otto"), id="of-two"),
    ],
)
def test_the_words_of_another_speaker_are_not_accepted(text, speaker, status, speakers):
    """Ruling A20: the verdict says whether the named speaker said it, and names the actual one."""
    verdict = assess_quotes([Quote(text, speaker=speaker)], TALK)[0]
    assert (verdict.status, verdict.speakers) == (status, speakers)
    assert verdict.accepted is (status in {"exact", "near"})


def test_a_quote_over_a_change_of_speaker_is_flagged():
    """Ruling A20: a quote without a speaker may span two turns, and is flagged."""
    verdict = assess_quotes(["We kept the wheel. The wheel is mine"], TALK)[0]
    assert "across_turns" in reasons_of(verdict)
    assert verdict.speakers == ("Ines", "Otto")
