"""Create personas with claims of every verdict against several sources, and their report."""

from groundwire.faithfulness import FaithfulnessValidator, read_personas
from groundwire.report.faithfulness import FaithfulnessReport, build_faithfulness_report

HOSTILE = "<script>document.title = 'x'</script> ]]> `a` | \x1b[31m \u202e & \"q\" 🙂"
INTERVIEW = (
    "Interviewer: Who are you?\n"
    "Sarah: I'm 34 and I work as a marketing manager. I lead a team of five designers.\n"
    "Interviewer: How do people reach you?\n"
    f"Sarah: I hate checking emails, so they call me. The sign says {HOSTILE.replace(chr(10), ' ')} every day.\n"
)
OTHER = "Interviewer: And you?\nJoon: I work as a marketing manager too. I like calls. We plan for the long winter.\n"
SURVEY = "name,age,tool\nSarah Chen,34,Slack\nJoon,41,Slack\nMei,36,Jira\n"
SOURCES = [("sarah.txt", INTERVIEW), ("joon.txt", OTHER), ("survey.csv", SURVEY)]
PERSONAS = [
    {
        "name": "Sarah Chen",
        "age": 34,
        "occupation": "Marketing Manager",
        "bio": "Sarah leads a team of nine designers. She prefers email communication.",
        "company": "TechCorp",
        "motto": f"The sign says {HOSTILE} every day",
        "season": "winter",
        "tool": "Slack",
    },
    {"id": "second", "occupation": "Marketing Manager", "goals": ["Likes calls"]},
    {"name": HOSTILE, "id": 3},
]
POLICIES = {"name": "synthetic"}


def faithfulness_report(personas=PERSONAS, sources=SOURCES, *, min_score=0.6, **options) -> FaithfulnessReport:
    """Return the report on *personas*."""
    validator = FaithfulnessValidator(policies=POLICIES, **options)
    read = read_personas(personas)
    results = validator.validate_many(personas=read, source_data=sources)
    return build_faithfulness_report(read, results, threshold=validator.threshold, min_score=min_score)
