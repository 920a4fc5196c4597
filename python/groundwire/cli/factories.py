"""Builds what options ask for: judge, embedder, classifiers and verifiers. Nothing is loaded that nobody asked for."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from groundwire.cli.app import CommandError, choose, setting_problems, warn
from groundwire.cli.inputs import display_name, read_text
from groundwire.cli.output import progress

if TYPE_CHECKING:
    from groundwire.embedding.openai import ServerEmbedder
    from groundwire.faithfulness import JudgedStatements, JudgeScorer
    from groundwire.ingestion import Citation, CitationVerifier, VerificationResult
    from groundwire.ingestion.config import DedupMethod
    from groundwire.ingestion.verify import Verifier
    from groundwire.judge import LLMJudge
    from groundwire.judge.protocol import Judge
    from groundwire.pair_scorer import PairScorer
    from groundwire.report.cite.model import AnswerReport, CiteReport, When

TOKEN_VARIABLE = "GROUNDWIRE_TRACKER_TOKEN"
"""What the tracker gets to see, and nobody else."""

_HHEM_MANIFEST = "manifest.json"
"""What `tools/convert_hhem` writes beside the model."""

_TRACKERS = ("github", "gitlab")
# Over the network so many are asked at the same time.
_PORTION = 8


class JudgeOptions(NamedTuple):
    """What the command line says of the judge; None where it says nothing."""

    when: "When | None"
    model: str | None
    base_url: str | None


class JudgeContext(NamedTuple):
    """Who is asked, when, by which name, and how many answers at once; nobody without a judge."""

    judge: "Judge | None" = None
    when: "When" = "never"
    model: str | None = None
    workers: int = 1


def _when_of(options: JudgeOptions) -> "When":
    """Return when the judge is asked: never, unless an option names one."""
    if options.when is None:
        return "never" if options.model is None and options.base_url is None else "auto"
    if options.when == "never":
        for name, value in (("--model", options.model), ("--base-url", options.base_url)):
            if value is not None:
                warn(f"{name} has no effect with --judge never")
    return options.when


@contextmanager
def judging(options: JudgeOptions) -> Iterator[JudgeContext]:
    """
    Give the judge, and close it in the end. Nothing of it is loaded if nobody is to be asked.

    Raises:
        CommandError: It cannot be made: the extra is not installed, no model is named, or a
            setting is wrong.
    """
    when = _when_of(options)
    if when == "never":
        yield JudgeContext()
        return
    from groundwire.judge.circuit_breaker import CircuitBreakerJudge
    from groundwire.report.labels import plural

    judge, workers = make_judge(when, options.model, options.base_url)
    with judge:
        patient = CircuitBreakerJudge(judge)
        yield JudgeContext(patient, when, judge.model, workers)
        if unsent := patient.unsent:
            warn(f"the judge's server is not to be had: {plural(unsent, 'answer')} not sent to it")


def make_judge(asked: str, model: str | None, base_url: str | None) -> "tuple[LLMJudge, int]":
    """
    Return the judge of the environment and of the options, and how many answers it judges at once.

    Args:
        asked: The value of `--judge`.
        model: That of `--model`; None for the environment's.
        base_url: That of `--base-url`, likewise.

    Raises:
        CommandError: It cannot be made: the extra is not installed, no model is named, or a
            setting is wrong.
    """
    from groundwire.judge import LLMJudge
    from groundwire.settings import JudgeSettings

    named = {"judge_model": model, "judge_base_url": base_url}
    chosen: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    try:
        settings = JudgeSettings(**chosen)
        if settings.judge_model is None:
            hint = "name one by --model, or set QUANTITATIVE_JUDGE_MODEL"
            raise CommandError(f"--judge {asked} needs a model", hint=hint)
        return LLMJudge.from_settings(settings), settings.judge_concurrency
    except ImportError as error:
        raise CommandError(str(error)) from None
    except (OSError, ValueError) as error:
        # What pydantic and the judge say of a setting names it and the rule, never the value.
        raise CommandError(f"no judge can be made: {setting_problems(error)}") from None


def warn_of_failures(report: "CiteReport") -> None:
    """Say of how many answers there is no judgement although one was asked for, and why."""
    from groundwire.report.labels import plural

    for error in dict.fromkeys(errors := [_error_of(each) for each in report.answers if each.judge_status == "error"]):
        failed = plural(errors.count(error), "judgement")
        levels = "the level is that" if errors.count(error) == 1 else "these levels are those"
        warn(f"{failed} failed ({error}); {levels} of the rules")


def _error_of(answer: "AnswerReport") -> str:
    return (answer.judgement.error if answer.judgement else None) or "unreadable"


@contextmanager
def embedding(method: "DedupMethod") -> Iterator["ServerEmbedder | None"]:
    """
    Give the embedder of the environment, and close it in the end; None where words are compared.

    Raises:
        CommandError: It cannot be made: the extra is not installed, no model is named, or a
            setting is wrong.
    """
    if method != "vector":
        yield None
        return
    from groundwire.embedding import ServerEmbedder
    from groundwire.settings import EmbedderSettings

    try:
        settings = EmbedderSettings()
        if settings.embedder_model is None:
            raise CommandError("--dedup-method vector needs a model", hint="set QUANTITATIVE_EMBEDDER_MODEL")
        embedder = ServerEmbedder.from_settings(settings)
    except ImportError as error:
        raise CommandError(str(error)) from None
    except (OSError, ValueError) as error:
        # What pydantic and the embedder say of a setting names it and the rule, never the value.
        raise CommandError(f"no embedder can be made: {setting_problems(error)}") from None
    with embedder:
        yield embedder


def reader_in(folder: str | None) -> "PairScorer | None":
    """
    Return the model in *folder*: HHEM if `tools/convert_hhem` wrote it, else a classifier; None for no folder.

    Raises:
        CommandError: There is no such model, or what runs it is not installed.
    """
    if folder is None:
        return None
    from groundwire.errors import ModelError

    try:
        if (Path(folder) / _HHEM_MANIFEST).is_file():
            from groundwire.faithfulness import HHEMClassifier

            return HHEMClassifier(folder)
        from groundwire.onnx_models import OnnxPairScorer

        return OnnxPairScorer(folder)
    except (ImportError, OSError, ModelError) as error:
        reason = error.reason if isinstance(error, ModelError) else str(error)
        raise CommandError(f"--reader: {reason}") from None


class VerifierOptions(NamedTuple):
    """What the command line says of citations."""

    repo: str | None
    adr: Sequence[str]
    network: bool
    allow_host: Sequence[str]
    issues: str | None
    tracker: str | None
    tracker_url: str | None


class ProgressVerifier:
    """
    Asks a verifier, and shows how far that is; see `CitationVerifier`.

    Args:
        verifier: Who is asked.
        network: Whether some are asked for over the network, which takes long.
        shows_progress: Whether a bar may appear.
    """

    def __init__(self, verifier: "CitationVerifier", *, network: bool, shows_progress: bool) -> None:
        self._verifier = verifier
        self.network = network
        self._shows_progress = shows_progress

    async def verify(self, citation: "Citation") -> "VerificationResult":
        """Verify one citation."""
        return await self._verifier.verify(citation)

    async def verify_many(self, citations: "Iterable[Citation]") -> "list[VerificationResult]":
        """Verify citations; those that are here at once, for one process of git answers for all commits."""
        citations = list(citations)
        far = [place for place, each in enumerate(citations) if self._is_far(each)]
        here = [place for place, each in enumerate(citations) if not self._is_far(each)]
        portions = [here, *(far[start : start + _PORTION] for start in range(0, len(far), _PORTION))]
        results: dict[int, VerificationResult] = {}
        with progress(len(citations), label="looking citations up", enabled=self._shows_progress) as advance:
            for places in portions:
                answers = await self._verifier.verify_many([citations[place] for place in places])
                results |= zip(places, answers, strict=True)
                advance(len(places))
        return [results[place] for place in range(len(citations))]

    async def read_many(self, citations: "Iterable[Citation]") -> "list[str | None]":
        """Return what stands in citations that are there."""
        return await self._verifier.read_many(citations)

    def _is_far(self, citation: "Citation") -> bool:
        return self.network and citation.type in ("url", "doi", "issue")


def verifier_of(options: VerifierOptions, *, shows_progress: bool) -> ProgressVerifier:
    """
    Return who is asked.

    Raises:
        CommandError: A folder or file is not there, a host or tracker is none, or what asks over
            the network is to be asked without it.
    """
    from groundwire.ingestion import CitationVerifier

    for name, folder in (("--repo", options.repo), *(("--adr", each) for each in options.adr)):
        if folder is not None and not Path(folder).is_dir():
            raise CommandError(f"{name}: no directory `{folder}`")
    if options.allow_host and not options.network:
        warn("--allow-host has no effect without --network")
    try:
        issues = _issues(options)
        verifier = CitationVerifier(
            repo=options.repo,
            adr_dirs=options.adr,
            network=options.network,
            allow_hosts=options.allow_host,
            verifiers={} if issues is None else {"issue": issues},
        )
    except ValueError as error:
        raise CommandError(str(error)) from None
    return ProgressVerifier(verifier, network=options.network, shows_progress=shows_progress)


def _issues(options: VerifierOptions) -> "Verifier | None":
    if options.issues is not None and options.tracker is not None:
        raise CommandError("--issues and --tracker answer the same question; one of them is enough")
    if options.tracker_url is not None and options.tracker is None:
        raise CommandError("--tracker-url belongs to --tracker, which is not given")
    if options.issues is not None:
        return _listed(options.issues)
    return None if options.tracker is None else _tracker(options.tracker, options)


def _listed(path: str) -> "Verifier":
    """Return the list of issues in a file, one a line."""
    from groundwire.ingestion.verify import ListedIssues

    name = display_name(path)
    known = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        issue = line.strip()
        try:
            # One by one, for the number of the line.
            known += [issue] if issue and ListedIssues([issue]) else []
        except ValueError:
            raise CommandError(f"{name}, line {number}: must be `12`, `#12` or `owner/repo#12`") from None
    return ListedIssues(known)


def _tracker(tracker: str, options: VerifierOptions) -> "Verifier":
    """Return who asks GitHub or GitLab; `github:owner/repo` says both which and where."""
    from groundwire.ingestion.verify import GitHubIssues, GitLabIssues, GuardedClient

    kind, _, repository = tracker.partition(":")
    kind = choose("--tracker", kind, _TRACKERS)
    if repository.count("/") < 1 or not all(repository.split("/")):
        raise CommandError(f"--tracker must name a repository, as {kind}:owner/repo")
    if not options.network:
        raise CommandError("--tracker asks over the network, which --network switches on")
    client = GuardedClient(allow_hosts=options.allow_host)
    address = {} if options.tracker_url is None else {"base_url": options.tracker_url}
    made = GitHubIssues if kind == "github" else GitLabIssues
    return made(client, repository, token=os.environ.get(TOKEN_VARIABLE) or None, **address)


class ModelOptions(NamedTuple):
    """What the command line says of models; None where it says nothing."""

    hhem: Literal["auto", "require"] | None
    reader: str | None
    embedder: str | None
    judge: Literal["support", "statements", "both"] | None
    model: str | None
    base_url: str | None


class RequestedModels(NamedTuple):
    """What `FaithfulnessValidator` takes under these names; None where nothing was asked for."""

    embedding_model: str | None = None
    hhem: bool | Literal["require"] | None = None
    reader: "PairScorer | None" = None
    judge: "JudgeScorer | None" = None
    statements: "JudgedStatements | None" = None

    def arguments(self) -> dict[str, Any]:
        """Return what was asked for."""
        return {name: value for name, value in self._asdict().items() if value is not None}


@contextmanager
def models(options: ModelOptions) -> Iterator[RequestedModels]:
    """
    Give the models that *options* ask for, and close them in the end. Nothing is loaded that nobody asked for.

    Raises:
        CommandError: The reader cannot be opened, or no judge can be made.
    """
    asked = RequestedModels(
        options.embedder,
        None if options.hhem is None else "require" if options.hhem == "require" else True,
        reader_in(options.reader),
    )
    is_named = options.model is not None or options.base_url is not None
    task = "both" if options.judge is None and is_named else options.judge
    if task is None:
        yield asked
        return
    from groundwire.faithfulness import JudgedStatements, JudgeScorer

    with make_judge(task, options.model, options.base_url)[0] as judge:
        yield asked._replace(
            judge=None if task == "statements" else JudgeScorer(judge),
            statements=None if task == "support" else JudgedStatements(judge),
        )
