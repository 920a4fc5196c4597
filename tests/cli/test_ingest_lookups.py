"""Verifiers of citations: a list of issues, a real web server, a tracker, and the options that select them."""

import pytest

from cli.terminal import CONTROL_SEQUENCE, run_on_terminal

pytest.importorskip("httpcore2", reason="the extra `http` is not installed")

from ingestion.verification.servers import answer, serve


def statuses(result):
    """Return the status of each citation of a report, by name."""
    return {
        cited["name"]: (cited["status"], cited["code"])
        for claim in result.report["claims"]
        for cited in claim["citations"]
    }


def test_listed_issues_are_there_and_others_unknown(run, write):
    """A list may be incomplete; blank lines are ignored."""
    write("issues.txt", "12\n\n #7 \nacme/mill#3\n")
    claims = ["Closed by #12 and #7.", "Open as #8.", "See acme/mill#3."]
    result = run("ingest", *claims, "--issue-list", "issues.txt", "-f", "json")
    assert statuses(result) == {
        "issue:12": ("verified", "issue_found"),
        "issue:7": ("verified", "issue_found"),
        "issue:8": ("unknown", "issue_not_listed"),
        "issue:acme/mill#3": ("verified", "issue_found"),
    }
    assert result.code == 1


def test_without_a_list_or_a_tracker_issues_are_unknown(run):
    """It is unknown which tracker `#12` means."""
    assert statuses(run("ingest", "Closed by #12.", "-f", "json")) == {"issue:12": ("unknown", "not_configured")}


def test_without_repository_and_records_nothing_of_them_is_known(run):
    """The working directory is read only if it is named."""
    assert statuses(run("ingest", "Per ADR-3, fixed in commit a1b2c3d4e5.", "-f", "json")) == {
        "ADR-003": ("unknown", "not_configured"),
        "commit:a1b2c3d4e5": ("unknown", "not_configured"),
    }


def test_network_is_off_unless_it_is_switched_on(run):
    """No server receives a request."""
    with serve(lambda _: answer(200)) as server:
        host = f"127.0.0.1:{server.port}"
        result = run("ingest", f"See http://{host}/mill.", "--allow-host", host, "-f", "json")
    assert server.contacts == 0
    assert statuses(result) == {f"http://{host}/mill": ("unknown", "network_off")}
    assert result.stderr == "warning: --allow-host has no effect without --network\n"


def test_an_allowed_local_server_is_requested(run):
    """Each page is requested once, however often it is cited; other local servers get no request."""
    pages = {"/mill": 200, "/gone": 404, "/broken": 500}
    with serve(lambda request: answer(pages.get(request.target, 404))) as server, serve(lambda _: answer(200)) as other:
        base = f"http://127.0.0.1:{server.port}"
        claims = [f"See {base}{page} for number {number}." for number, page in enumerate([*pages, "/mill"])]
        claims.append(f"See http://127.0.0.1:{other.port}/secret.")
        options = ["--network", "--allow-host", f"127.0.0.1:{server.port}", "-f", "json"]
        found = statuses(run("ingest", *claims, *options))
    assert found == {
        f"{base}/mill": ("verified", "http_success"),
        f"{base}/gone": ("refuted", "http_gone"),
        f"{base}/broken": ("unknown", "http_unclear"),
        f"http://127.0.0.1:{other.port}/secret": ("unknown", "url_refused"),
    }
    assert sorted({request.target for request in server.requests}) == ["/broken", "/gone", "/mill"]
    assert other.contacts == 0


@pytest.mark.parametrize(
    ("tracker", "known", "header"),
    [
        pytest.param("github:acme/mill", "/repos/acme/mill/issues/12", "Authorization: Bearer s3cret", id="github"),
        pytest.param("gitlab:acme/mill", "/projects/acme%2Fmill/issues/12", "PRIVATE-TOKEN: s3cret", id="gitlab"),
    ],
)
def test_a_tracker_gets_its_token(run, tracker, known, header):
    """A bare number is an issue of the named repository."""
    pages = {known: 200, known.rpartition("/issues")[0]: 200}
    with serve(lambda request: answer(pages.get(request.target, 404))) as server:
        host = f"127.0.0.1:{server.port}"
        options = [
            "--issue-tracker",
            tracker,
            "--issue-tracker-url",
            f"http://{host}",
            "--network",
            "--allow-host",
            host,
        ]
        result = run(
            "ingest",
            "Closed by #12.",
            "Open as #13.",
            *options,
            "-f",
            "json",
            env={"GROUNDWIRE_ISSUE_TRACKER_TOKEN": "s3cret"},
        )
    assert statuses(result) == {"issue:12": ("verified", "issue_found"), "issue:13": ("refuted", "issue_not_found")}
    assert all(header.lower() in request.head.lower() for request in server.requests)
    assert "s3cret" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(["--issue-list", "nope.txt"], "no file `nope.txt`", id="no-list"),
        pytest.param(
            ["--issue-list", "bad.txt"], "bad.txt, line 2: must be `12`, `#12` or `owner/repo#12`", id="bad-list"
        ),
        pytest.param(
            ["--issue-list", "bad.txt", "--issue-tracker", "github:a/b"],
            "--issue-list and --issue-tracker cannot be combined",
            id="both",
        ),
        pytest.param(
            ["--issue-tracker", "jira:a/b", "--network"], "--issue-tracker `jira` is unknown", id="other-tracker"
        ),
        pytest.param(
            ["--issue-tracker", "github", "--network"], "must name a repository, as github:owner/repo", id="no-name"
        ),
        pytest.param(
            ["--issue-tracker", "gitlab:a/", "--network"], "must name a repository, as gitlab:owner", id="half-name"
        ),
        pytest.param(["--issue-tracker", "github:a/b"], "--issue-tracker requires --network", id="no-network"),
        pytest.param(
            ["--issue-tracker-url", "https://x"], "--issue-tracker-url requires --issue-tracker", id="url-alone"
        ),
        pytest.param(["--network", "--allow-host", "http://x/"], "allow_hosts", id="no-host"),
    ],
)
def test_wrong_options_are_reported(run, write, options, message):
    """One line, exit code 2."""
    write("bad.txt", "12\nZEBRA\n")
    result = run("ingest", "The mill is closed.", *options)
    assert (result.code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "ZEBRA" not in result.stderr


@pytest.mark.usefixtures("bars_at_once")
def test_a_bar_shows_while_a_server_is_asked(tmp_path):
    """It shows on a terminal, and not with --no-progress."""
    with serve(lambda _: answer(200)) as server:
        host = f"127.0.0.1:{server.port}"
        claims = [f"See http://{host}/{number}." for number in range(20)]
        screen = run_on_terminal("ingest", *claims, "--network", "--allow-host", host, cwd=tmp_path)[1]
        quiet = run_on_terminal("ingest", *claims, "--network", "--allow-host", host, "--no-progress", cwd=tmp_path)[1]
    assert "verifying citations" in CONTROL_SEQUENCE.sub("", screen)
    assert "verifying citations" not in CONTROL_SEQUENCE.sub("", quiet)
