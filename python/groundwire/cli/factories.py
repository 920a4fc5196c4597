"""Builds the judge, embedder, classifiers and verifiers that options request, and loads nothing else."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from groundwire.cli.app import CommandError, choose, setting_errors, warn
from groundwire.cli.inputs import display_name, read_text
from groundwire.cli.output import progress

if TYPE_CHECKING:
    from groundwire.embedding.openai import ServerEmbedder
    from groundwire.faithfulness import JudgedStatements, JudgeScorer
    from groundwire.ingestion import Citation, CitationVerifier, VerificationResult
    from groundwire.ingestion.duplicates.index import DedupMethod
    from groundwire.ingestion.verification import Verifier
    from groundwire.judge import LLMJudge
    from groundwire.judge.protocol import Judge
    from groundwire.pair_scorer import PairScorer
    from groundwire.report.cite.model import AnswerReport, CiteReport, When

TOKEN_VARIABLE = "GROUNDWIRE_ISSUE_TRACKER_TOKEN"
"""The environment variable with the token of the issue tracker, which is sent nowhere else."""

_HHEM_MANIFEST = "manifest.json"
"""A file that `tools/convert_hhem` writes beside the model."""

_TRACKERS = ("github", "gitlab")
# The number of concurrent requests over the network.
_MAX_CONCURRENT_REQUESTS = 8


class JudgeOptions(NamedTuple):
    """The options of the judge; None for a missing option."""

    when: "When | None"
    model: str | None
    base_url: str | None


class JudgeContext(NamedTuple):
    """The judge, when it judges, its model, and its number of concurrent requests."""

    judge: "Judge | None" = None
    when: "When" = "never"
    model: str | None = None
    workers: int = 1


def _when_of(options: JudgeOptions) -> "When":
    """Return when the judge judges; by default never, unless an option names a model or a server."""
    if options.when is None:
        return "never" if options.model is None and options.base_url is None else "auto"
    if options.when == "never":
        for name, value in (("--model", options.model), ("--base-url", options.base_url)):
            if value is not None:
                warn(f"{name} has no effect with --judge never")
    return options.when


@contextmanager
def open_judge(options: JudgeOptions) -> Iterator[JudgeContext]:
    """
    Yield the judge, and close it at the end. Its modules are loaded only if it is used.

    Raises:
        CommandError: It cannot be created: the extra is not installed, no model is named, or a
            setting is invalid.
    """
    when = _when_of(options)
    if when == "never":
        yield JudgeContext()
        return
    from groundwire.judge.circuit_breaker import CircuitBreakerJudge
    from groundwire.labels import plural

    judge, workers = make_judge(when, options.model, options.base_url)
    with judge:
        patient = CircuitBreakerJudge(judge)
        yield JudgeContext(patient, when, judge.model, workers)
        if unsent := patient.unsent:
            warn(f"the judge's server is unavailable: {plural(unsent, 'answer')} not judged")


def make_judge(value: str, model: str | None, base_url: str | None) -> "tuple[LLMJudge, int]":
    """
    Return the judge of the options and the environment, and its number of concurrent requests.

    Args:
        value: The value of `--judge`, for messages.
        model: The value of `--model`; None for the environment's.
        base_url: The value of `--base-url`; None for the environment's.

    Raises:
        CommandError: It cannot be created: the extra is not installed, no model is named, or a
            setting is invalid.
    """
    from groundwire.judge import LLMJudge
    from groundwire.settings import JudgeSettings

    named = {"judge_model": model, "judge_base_url": base_url}
    chosen: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    try:
        settings = JudgeSettings(**chosen)
        if settings.judge_model is None:
            hint = "use --model NAME or set QUANTITATIVE_JUDGE_MODEL"
            raise CommandError(f"--judge {value} needs a model", hint=hint)
        return LLMJudge.from_settings(settings), settings.judge_concurrency
    except ImportError as error:
        raise CommandError(str(error)) from None
    except (OSError, ValueError) as error:
        # These errors name a setting and its rule, never the value.
        raise CommandError(f"cannot create the judge: {setting_errors(error)}") from None


def warn_of_failed_judgements(report: "CiteReport") -> None:
    """Warn of failed judgements, with their number and their reason."""
    from groundwire.labels import plural

    for error in dict.fromkeys(errors := [_error_of(each) for each in report.answers if each.judge_status == "error"]):
        failed = plural(errors.count(error), "judgement")
        warn(f"{failed} failed ({error}); the rules alone set the level")


def _error_of(answer: "AnswerReport") -> str:
    return (answer.judgement.error if answer.judgement else None) or "unreadable"


@contextmanager
def open_embedder(method: "DedupMethod") -> Iterator["ServerEmbedder | None"]:
    """
    Yield the embedder of the environment, and close it at the end; None for the other methods.

    Raises:
        CommandError: It cannot be created: the extra is not installed, no model is named, or a
            setting is invalid.
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
        # These errors name a setting and its rule, never the value.
        raise CommandError(f"cannot create the embedder: {setting_errors(error)}") from None
    with embedder:
        yield embedder


def open_reader(folder: str | None) -> "PairScorer | None":
    """
    Return the model in *folder*: HHEM if `tools/convert_hhem` wrote it, else a classifier; None for no folder.

    Raises:
        CommandError: The folder holds no model, or its runtime is not installed.
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
    """The options of the verification of citations."""

    repo: str | None
    adr: Sequence[str]
    network: bool
    allow_host: Sequence[str]
    issues: str | None
    tracker: str | None
    tracker_url: str | None


class ProgressVerifier:
    """
    A `CitationVerifier` that shows its progress.

    Args:
        verifier: The verifier.
        network: Whether it sends slow requests over the network.
        shows_progress: Whether it may show a bar.
    """

    def __init__(self, verifier: "CitationVerifier", *, network: bool, shows_progress: bool) -> None:
        self._verifier = verifier
        self.network = network
        self._shows_progress = shows_progress

    async def verify(self, citation: "Citation") -> "VerificationResult":
        """Verify one citation."""
        return await self._verifier.verify(citation)

    async def verify_many(self, citations: "Iterable[Citation]") -> "list[VerificationResult]":
        """Verify citations: the local ones in one batch, because one git process serves all commits."""
        citations = list(citations)
        remote = [index for index, each in enumerate(citations) if self._is_remote(each)]
        local = [index for index, each in enumerate(citations) if not self._is_remote(each)]
        batches = [
            local,
            *(
                remote[start : start + _MAX_CONCURRENT_REQUESTS]
                for start in range(0, len(remote), _MAX_CONCURRENT_REQUESTS)
            ),
        ]
        results: dict[int, VerificationResult] = {}
        with progress(len(citations), label="verifying citations", enabled=self._shows_progress) as advance:
            for indexes in batches:
                verified = await self._verifier.verify_many([citations[index] for index in indexes])
                results |= zip(indexes, verified, strict=True)
                advance(len(indexes))
        return [results[index] for index in range(len(citations))]

    async def read_many(self, citations: "Iterable[Citation]") -> "list[str | None]":
        """Return the texts of citations that exist."""
        return await self._verifier.read_many(citations)

    def _is_remote(self, citation: "Citation") -> bool:
        return self.network and citation.type in ("url", "doi", "issue")


def make_verifier(options: VerifierOptions, *, shows_progress: bool) -> ProgressVerifier:
    """
    Return the verifier that *options* describe.

    Raises:
        CommandError: A folder or file is missing, a host or tracker is invalid, or a tracker is given without
            --network.
    """
    from groundwire.ingestion import CitationVerifier

    for name, folder in (("--repo", options.repo), *(("--adr-dir", each) for each in options.adr)):
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
        raise CommandError("--issue-list and --issue-tracker cannot be combined")
    if options.tracker_url is not None and options.tracker is None:
        raise CommandError("--issue-tracker-url requires --issue-tracker")
    if options.issues is not None:
        return _listed_issues(options.issues)
    return None if options.tracker is None else _tracker(options.tracker, options)


def _listed_issues(path: str) -> "Verifier":
    """Return the verifier for a file with one issue per line."""
    from groundwire.ingestion.verification import IssueListVerifier

    name = display_name(path)
    known = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        issue = line.strip()
        try:
            # One at a time, so that the error names the line.
            known += [issue] if issue and IssueListVerifier([issue]) else []
        except ValueError:
            raise CommandError(f"{name}, line {number}: must be `12`, `#12` or `owner/repo#12`") from None
    return IssueListVerifier(known)


def _tracker(tracker: str, options: VerifierOptions) -> "Verifier":
    """Return the verifier for a repository on GitHub or GitLab, such as `github:owner/repo`."""
    from groundwire.ingestion.verification import GitHubIssueVerifier, GitLabIssueVerifier, GuardedHttpClient

    kind, _, repository = tracker.partition(":")
    kind = choose("--issue-tracker", kind, _TRACKERS)
    if repository.count("/") < 1 or not all(repository.split("/")):
        raise CommandError(f"--issue-tracker must name a repository, as {kind}:owner/repo")
    if not options.network:
        raise CommandError("--issue-tracker requires --network")
    client = GuardedHttpClient(allow_hosts=options.allow_host)
    address = {} if options.tracker_url is None else {"base_url": options.tracker_url}
    made = GitHubIssueVerifier if kind == "github" else GitLabIssueVerifier
    return made(client, repository, token=os.environ.get(TOKEN_VARIABLE) or None, **address)


class ModelOptions(NamedTuple):
    """The options of models; None for a missing option."""

    hhem: Literal["auto", "require"] | None
    reader: str | None
    embedder: str | None
    judge: Literal["support", "statements", "both"] | None
    model: str | None
    base_url: str | None


class RequestedModels(NamedTuple):
    """Models for `FaithfulnessValidator`; None for a model that is not requested."""

    embedding_model: str | None = None
    hhem: bool | Literal["require"] | None = None
    reader: "PairScorer | None" = None
    judge: "JudgeScorer | None" = None
    statements: "JudgedStatements | None" = None

    def arguments(self) -> dict[str, Any]:
        """Return the requested models as arguments."""
        return {name: value for name, value in self._asdict().items() if value is not None}


@contextmanager
def open_models(options: ModelOptions) -> Iterator[RequestedModels]:
    """
    Yield the models that *options* request, and close them at the end.

    Raises:
        CommandError: The reader cannot be opened, or the judge cannot be created.
    """
    requested = RequestedModels(
        options.embedder,
        None if options.hhem is None else "require" if options.hhem == "require" else True,
        open_reader(options.reader),
    )
    is_named = options.model is not None or options.base_url is not None
    task = "both" if options.judge is None and is_named else options.judge
    if task is None:
        yield requested
        return
    from groundwire.faithfulness import JudgedStatements, JudgeScorer

    with make_judge(task, options.model, options.base_url)[0] as judge:
        yield requested._replace(
            judge=None if task == "statements" else JudgeScorer(judge),
            statements=None if task == "support" else JudgedStatements(judge),
        )
