"""Create an answer with a claim of every status and citations of every kind, and its report."""

from msgspec.structs import replace

from groundwire.citations import CitedClaimStatus
from groundwire.judge.protocol import HallucinationType, JudgeIssue, Judgement, TokenUsage
from groundwire.report.cite import Case, CiteReport, build_cite_report

ANSWER = (
    "# Die Mühle <b>\n\n"
    "The mill burned down in the winter of 1887 & was never rebuilt [1]. Its owner lost three million "
    "marks by that fire [2, 7].\r\n"
    "## More\n"
    "- Most of the village had worked there for all of their lives. [museum] Yes. The mayor promised them other work "
    "soon [1][3]\n"
    "- 工廠在冬天被燒毀了，從來沒有重建過【1】。這裡沒有任何來源可以說明這件事情的經過。\n\n"
    "| when | what happened then |\n| --- | --- |\n"
    "| 1890 or later, nobody knows | a new mill was opened by the owner's son [x y] [1-3] |\n\n"
    "The end <script>alert('🙂')</script> of the long story was told by \x1b nobody at all.\n"
)
RESULTS = [
    {
        "id": "1",
        "title": "Annals <i>",
        "content": "In the winter of 1887 the mill by the river burned down; it was not rebuilt. 工廠被燒毀了。",
    },
    {"id": "2", "parent_id": "museum", "content": "He lost four million. " + "Nothing else is known. " * 60},
    {"id": 3, "parent_id": "museum", "matches": ["The mayor said", "that work would be found elsewhere."]},
    {"id": "4", "title": "A result without a text"},
]
CASE = Case(ANSWER, RESULTS, "What became of the mill?", name="answer.md")
STATUSES = list(CitedClaimStatus)
JUDGEMENT = Judgement(
    hallucination_risk=0.7,
    reasoning="It says four.",
    issues=(JudgeIssue(type=HallucinationType.CONTRADICTION, claim="three", evidence="four million", grounded=True),),
    usage=TokenUsage(calls=2, prompt_tokens=10, completion_tokens=5),
    model="m",
)


class Judge:
    """Returns the same judgement for every answer, and keeps the requests."""

    def __init__(self, judgement=JUDGEMENT):
        self.judgement = judgement
        self.asked = []

    def judge(self, question, answer, _results):
        self.asked.append((question, answer))
        return self.judgement

    async def ajudge(self, *_):
        return self.judgement


def cite_report(case: Case = CASE, **options) -> CiteReport:
    """Return the report on one answer, with statuses and support that do not depend on the passages."""
    return with_statuses(build_cite_report([case], **options))


def with_statuses(report: CiteReport) -> CiteReport:
    """Return *report* with claims of all statuses in turn."""
    answers = tuple(
        replace(
            answer,
            claims=tuple(
                replace(
                    claim,
                    status=STATUSES[place % len(STATUSES)],
                    support=place % 10 / 10,
                    better_source="2" if STATUSES[place % len(STATUSES)] is CitedClaimStatus.MISATTRIBUTED else None,
                )
                for place, claim in enumerate(answer.claims)
            ),
        )
        for answer in report.answers
    )
    statuses = [claim.status for answer in answers for claim in answer.claims]
    counts = {status.value: statuses.count(status) for status in CitedClaimStatus}
    return replace(report, answers=answers, summary=replace(report.summary, **counts))
