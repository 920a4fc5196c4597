"""Edits of true claims in texts of our own: changed numbers, negations, swapped names, invented attributes."""

import pytest

from groundwire.faithfulness import ClaimStatus, FaithfulnessValidator, PreparedSources

SARAH = """\
Interviewer: Tell me about your work.
Sarah: I work as a marketing manager at Lumen Foods in Denver. I lead a team of six people, and I report
to the head of sales.
Interviewer: What does your day look like?
Sarah: Every morning I plan the campaigns with the designers. I spend about three hours a day in spreadsheets. I hate
checking emails, honestly. I prefer phone calls. We publish a newsletter every two weeks.
Interviewer: Which tools do you use?
Sarah: We track our projects in Asana, and I write all reports in Notion. I don't use Jira.
Interviewer: And outside of work?
Sarah: I have two daughters. I run along the river on Sundays. I never eat meat. In 2017 we moved here from Portland.
"""
NOTES = """\
# Visit at the clinic

Tom Reyes has worked as a nurse for 11 years. He works night shifts at the Mercy hospital in Tucson.

- He cares for eight patients during one shift.
- He writes his notes by hand, because the tablets are slow.
- He enjoys training new colleagues.
- He does not trust automatic alerts.

Tom studied at the University of Arizona and graduated in 2012. He cycles to work and avoids crowded buses. He spends 40
minutes on paperwork after each shift. He would like a shorter handover meeting.
"""

# The claim; with another number; with its negation or opposite; with another name. None if there is none.
SARAH_CLAIMS = [
    (
        "Sarah works as a marketing manager at Lumen Foods.",
        None,
        "Sarah does not work as a marketing manager at Lumen Foods.",
        "Sarah works as a marketing manager at Brightwell Foods.",
    ),
    (
        "Sarah leads a team of six people.",
        "Sarah leads a team of nine people.",
        "Sarah never leads a team of six people.",
        None,
    ),
    ("She reports to the head of sales.", None, "She does not report to the head of sales.", None),
    (
        "She plans campaigns with the designers every morning.",
        None,
        "She never plans campaigns with the designers.",
        None,
    ),
    ("She spends three hours a day in spreadsheets.", "She spends five hours a day in spreadsheets.", None, None),
    ("She hates checking emails.", None, "She likes checking emails.", None),
    ("She prefers phone calls.", None, "She dislikes phone calls.", None),
    ("She publishes a newsletter every two weeks.", "She publishes a newsletter every four weeks.", None, None),
    (
        "She tracks her projects in Asana.",
        None,
        "She does not track projects in Asana.",
        "She tracks her projects in Trello.",
    ),
    (
        "She writes all reports in Notion.",
        None,
        "She writes no reports in Notion.",
        "She writes all reports in Confluence.",
    ),
    ("She does not use Jira.", None, "She uses Jira.", None),
    ("She has two daughters.", "She has four daughters.", None, None),
    (
        "She runs along the river on Sundays.",
        None,
        "She does not run along the river.",
        "She runs along the river on Fridays.",
    ),
    ("She never eats meat.", None, "She eats meat.", None),
    ("She moved from Portland in 2017.", "She moved from Portland in 2014.", None, "She moved from Seattle in 2017."),
]
TOM_CLAIMS = [
    (
        "Tom has worked as a nurse for 11 years.",
        "Tom has worked as a nurse for 4 years.",
        "Tom has not worked as a nurse.",
        None,
    ),
    (
        "He works night shifts at the Mercy hospital.",
        None,
        "He does not work night shifts at the Mercy hospital.",
        "He works night shifts at the Banner hospital.",
    ),
    (
        "He cares for eight patients during one shift.",
        "He cares for twelve patients during one shift.",
        "He does not care for patients during one shift.",
        None,
    ),
    ("He writes his notes by hand.", None, "He does not write his notes by hand.", None),
    ("He enjoys training new colleagues.", None, "He dislikes training new colleagues.", None),
    ("He does not trust automatic alerts.", None, "He trusts automatic alerts.", None),
    (
        "He studied at the University of Arizona.",
        None,
        "He never studied at the University of Arizona.",
        "He studied at the University of Nevada.",
    ),
    ("He graduated in 2012.", "He graduated in 2009.", "He did not graduate in 2012.", None),
    ("He avoids crowded buses.", None, "He likes crowded buses.", None),
    (
        "He spends 40 minutes on paperwork after each shift.",
        "He spends 90 minutes on paperwork after each shift.",
        "He spends no time on paperwork after each shift.",
        None,
    ),
]
SAID, NUMBERS, DENIALS, NAMES = range(4)
PRIYA = """\
Moderator: Thanks for coming. What do you do?
Priya: I'm a civil engineer, I've been at the water authority in Leeds for nine years now. Before that
I was at a small consultancy in York.
Moderator: How big is the group you work with?
Priya: There are fourteen of us. I supervise three junior engineers and I sign off on every pump design.
Moderator: What do you find hard?
Priya: Honestly the permits. We wait about six weeks for each permit, and nobody tells us why. I can't stand the permit
portal. It logs you out after ten minutes.
Moderator: And what helps?
Priya: Site visits! I love being outside, I go to a site twice a week. I always take paper
drawings, tablets don't work in the rain.
Moderator: Do you use any apps?
Priya: AutoCAD of course, and QGIS for maps. I stopped using Excel for schedules last year, we moved to Monday.
Moderator: Outside work?
Priya: I climb, mostly at the indoor wall in Harrogate. I'm a vegetarian. My partner Dev is the
cook. We've got one son, he is four.
"""
PRIYA_SAID = """
Priya is a civil engineer at the water authority in Leeds.
She was at a small consultancy in York before.
She supervises three junior engineers.
She signs off on every pump design.
She waits six weeks for each permit.
She can't stand the permit portal.
She loves being outside.
She goes to a site twice a week.
She always takes paper drawings.
She climbs, mostly at the indoor wall in Harrogate.
She is a vegetarian.
She has one son.
She stopped using Excel for schedules.
"""
PRIYA_EDITED = """
Priya is a civil engineer at the water authority in Bradford.
Priya is a civil engineer at the power authority in Leeds.
She was at a small consultancy in Hull before.
She supervises eight junior engineers.
She does not supervise junior engineers.
She does not sign off on every pump design.
She waits two weeks for each permit.
She enjoys the permit portal.
She hates being outside.
She goes to a site five times a week.
She never takes paper drawings.
She uses ArcGIS for maps.
She does not use QGIS for maps.
She climbs at the indoor wall in Sheffield.
She does not climb.
She is not a vegetarian.
She has three sons.
Her son is nine.
She paints watercolours.
She works from home on Fridays.
She uses Excel for schedules.
The portal logs you out after thirty minutes.
Tablets work in the rain.
She is a chemical engineer.
She uses Slack.
"""
INVENTED = [
    "She plays the violin in an orchestra.",
    "He is training for a marathon.",
    "She speaks fluent Italian.",
    "He owns a boat.",
    "She volunteers at an animal shelter.",
    "He is afraid of flying.",
    "She invests in real estate.",
    "He wants to open a bakery.",
    "She collects old maps.",
    "He teaches chess to children.",
]


@pytest.fixture(scope="module")
def sources() -> dict[str, PreparedSources]:
    """Return each person with their text."""
    return {
        "Sarah Chen": PreparedSources([("interview", SARAH)]),
        "Tom Reyes": PreparedSources([("notes", NOTES)]),
    }


def statuses(sources: dict[str, PreparedSources], column: int) -> dict[str, ClaimStatus]:
    """Return the status of each claim of one column."""
    found = {}
    for name, rows in (("Sarah Chen", SARAH_CLAIMS), ("Tom Reyes", TOM_CLAIMS)):
        claims = [row[column] for row in rows if row[column] is not None]
        persona = {"name": name, "bio": " ".join(claims)}
        result = FaithfulnessValidator().validate(persona=persona, source_data=sources[name])
        told = {each.claim: each.status for each in result.claim_details}
        assert set(told) == {f"Person is named {name}", *claims}
        found |= {claim: told[claim] for claim in claims}
    return found


@pytest.mark.parametrize(
    ("column", "least_found"), [(NUMBERS, 0.95), (DENIALS, 0.9), (NAMES, 0.9)], ids=["numbers", "denials", "names"]
)
def test_edits_are_not_supported(sources, column, least_found):
    """At least the required share of each kind is not supported."""
    found = statuses(sources, column)
    missed = [claim for claim, status in found.items() if status is ClaimStatus.SUPPORTED]
    assert len(found) >= 7
    assert len(missed) <= (1 - least_found) * len(found), missed


def test_stated_claims_are_supported(sources):
    """At most one in twenty is a false alarm."""
    found = statuses(sources, SAID)
    missed = [claim for claim, status in found.items() if status is not ClaimStatus.SUPPORTED]
    assert len(missed) <= 0.05 * len(found), missed


def test_stated_claims_are_never_contradicted(sources):
    """A verbatim claim is not contradicted by its neighbours."""
    for name, rows in (("Sarah Chen", SARAH_CLAIMS), ("Tom Reyes", TOM_CLAIMS)):
        persona = {"name": name, "facts": [row[SAID] for row in rows]}
        result = FaithfulnessValidator().validate(persona=persona, source_data=sources[name])
        assert [each.claim for each in result.claim_details if each.contradicted] == []


def test_invented_attributes_are_not_supported(sources):
    """This holds in both texts."""
    for name, source in sources.items():
        result = FaithfulnessValidator().validate(persona={"facts": INVENTED}, source_data=source)
        supported = [each.claim for each in result.claim_details if each.status is ClaimStatus.SUPPORTED]
        assert supported == [], name


def test_a_third_text():
    """It is an interview with short answers: true claims are supported, and no edit is."""
    for claims, expected in ((PRIYA_SAID, ClaimStatus.SUPPORTED), (PRIYA_EDITED, ClaimStatus.UNSUPPORTED)):
        persona = {"nickname": "Priya", "bio": " ".join(claims.split("\n"))}
        result = FaithfulnessValidator(policies={"nickname": "synthetic"}).validate(persona=persona, source_data=PRIYA)
        assert result.total_claims == len(claims.strip().split("\n"))
        assert [each.claim for each in result.claim_details if each.status is not expected] == []
