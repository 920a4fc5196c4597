"""Issues on a list, at GitHub and at GitLab, DOIs, and the text of pages (rulings C12 and C13)."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion.citation_detector import Citation, CitationType
from groundwire.ingestion.verification import (
    CitationVerifier,
    GitHubIssueVerifier,
    GitLabIssueVerifier,
    IssueListVerifier,
)
from groundwire.ingestion.verification.web import DoiVerifier, text_of_page
from ingestion.verification.servers import answer, client_for, client_of, redirect, serve, url_of

HOST = "tracker.test"


def verify(verifier, *values: str) -> list[str]:
    """Return the codes of issues."""
    citations = [Citation(CitationType.ISSUE, value, 0, 1) for value in values]

    async def verify_all():
        return [(await verifier.verify(citation)).code.value for citation in citations]

    return asyncio.run(verify_all())


def test_without_a_verifier_issues_are_unknown():
    """Ruling C13."""
    assert verify(CitationVerifier(network=True), "12", "owner/repo#12") == ["not_configured"] * 2


def test_a_list_verifies_what_it_has_and_refutes_nothing():
    """The list may be incomplete."""
    listed = IssueListVerifier(["12", "#13", "GH-14", "owner/repo#15"])
    codes = verify(listed, "12", "13", "14", "owner/repo#15", "OWNER/repo#15", "15", "owner/repo#12", "99")
    assert codes == ["issue_found"] * 5 + ["issue_not_listed"] * 3


def test_a_complete_list_refutes_what_it_lacks_of_its_own_repository():
    """For other repositories it verifies only the listed ones."""
    listed = IssueListVerifier(["12", "other/repo#1"], repository="owner/repo", complete=True)
    found = verify(listed, "12", "owner/repo#12", "Owner/Repo#12", "other/repo#1")
    missing = verify(listed, "13", "owner/repo#13", "other/repo#2")
    assert found == ["issue_found"] * 4
    assert missing == ["issue_not_found", "issue_not_found", "issue_not_listed"]


@pytest.mark.parametrize("entry", ["", "x", "owner#1", "#", "1 ", "owner/repo", "-1", "1234567890"])
def test_an_entry_of_a_list_is_an_issue(entry):
    """The error has the position of a wrong entry."""
    with pytest.raises(ValueError, match=r"known\[1\] must be"):
        IssueListVerifier(["1", entry])


NOT_IDS = [
    "",
    "x",
    "12/../13",
    "owner/..#12",
    "../admin#12",
    "owner/repo#12?x",
    "owner/repo/#1",
    "１２",
    "12\n",
    "a/b#1#2",
]


@pytest.mark.parametrize("value", NOT_IDS)
def test_an_invalid_issue_is_not_requested(value):
    """An id must not lead to another path of the API."""
    client = client_for()
    for verifier in (
        IssueListVerifier(["12"]),
        GitHubIssueVerifier(client, "owner/repo"),
        GitLabIssueVerifier(client, "owner/repo"),
    ):
        assert verify(verifier, value) == ["not_an_id"]


def tracker(kind, server, repository="owner/repo", token=None):
    """Return a verifier of *kind* that requests *server*."""
    host = f"{HOST}:{server.port}"
    client = client_for(allow_hosts=[host], names={HOST: [["127.0.0.1"]]})
    return kind(client, repository, base_url=f"http://{host}/api/", token=token)


def pages(*targets: str):
    """Return a server with these pages, and others with scripted answers."""
    special = {"/gone": 410, "/busy": 429, "/broken": 500, "/secret": 401}

    def handle(request):
        if request.target in targets:
            return answer(200, b"{}")
        return answer(next((status for end, status in special.items() if end in request.target), 404), b"{}")

    return serve(handle)


@pytest.mark.parametrize(
    ("kind", "home"),
    [(GitHubIssueVerifier, "/api/repos/{owner}/{repo}"), (GitLabIssueVerifier, "/api/projects/{owner}%2F{repo}")],
)
def test_trackers(kind, home):
    """An issue exists, only its repository does, or neither is known."""
    ours, other = home.format(owner="owner", repo="repo"), home.format(owner="other", repo="re.po")
    with pages(ours, f"{ours}/issues/12", f"{other}/issues/7") as server:
        codes = verify(tracker(kind, server), "12", "owner/repo#12", "99", "other/re.po#7", "other/re.po#8")
    assert codes == ["issue_found", "issue_found", "issue_not_found", "issue_found", "tracker_unreadable"]
    assert {request.method for request in server.requests} == {"GET"}
    assert server.requests[0].target == f"{ours}/issues/12"


@pytest.mark.parametrize("kind", [GitHubIssueVerifier, GitLabIssueVerifier])
@pytest.mark.parametrize(
    ("repository", "code"),
    [
        pytest.param("a/gone", "issue_not_found", id="410-is-gone"),
        pytest.param("a/busy", "http_unclear", id="429-is-unknown"),
        pytest.param("a/broken", "http_unclear", id="500-is-unknown"),
        pytest.param("a/secret", "http_unclear", id="401-is-unknown"),
        pytest.param("a/private", "tracker_unreadable", id="404-of-the-repository-too"),
    ],
)
def test_other_answers_of_trackers(kind, repository, code):
    """Only a definite answer refutes."""
    special = {"gone": 410, "busy": 429, "broken": 500, "secret": 401, "private": 404}
    with serve(lambda _: answer(special[repository[2:]])) as server:
        assert verify(tracker(kind, server, repository), "1") == [code]


@pytest.mark.parametrize("kind", [GitHubIssueVerifier, GitLabIssueVerifier])
def test_the_length_of_an_issue_does_not_matter(kind):
    """The status decides, and descriptions may be longer than the pages that are read."""
    with serve(lambda _: answer(200, b"x" * 300_000)) as server:
        assert verify(tracker(kind, server), "1") == ["issue_found"]


def test_a_bare_number_needs_a_repository():
    """It is unknown which repository is meant."""
    with pages() as server:
        assert verify(tracker(GitHubIssueVerifier, server, repository=None), "12") == ["not_configured"]
    assert server.contacts == 0


@pytest.mark.parametrize(
    ("kind", "header"),
    [(GitHubIssueVerifier, "Authorization: Bearer t0ken"), (GitLabIssueVerifier, "PRIVATE-TOKEN: t0ken")],
)
def test_a_token_goes_to_its_host_alone(kind, header):
    """No text that shows the verifier contains it."""
    with serve(lambda _: answer(200)) as other:
        target = f"http://127.0.0.1:{other.port}/"
        with serve(lambda _: redirect(target)) as server:
            host = f"{HOST}:{server.port}"
            allowed = [host, f"127.0.0.1:{other.port}"]
            client = client_for(allow_hosts=allowed, names={HOST: [["127.0.0.1"]]})
            verifier = kind(client, "owner/repo", base_url=f"http://{host}", token="t0ken")
            assert verify(verifier, "1") == ["issue_found"]
    assert header in server.requests[0].head
    assert "t0ken" not in other.requests[0].head
    assert "t0ken" not in repr(verifier)


def test_a_tracker_that_is_not_public_is_not_requested():
    """The rules are those for URLs."""
    with serve(lambda _: answer(200)) as server:
        client = client_for(server.port, names={HOST: [["127.0.0.1"]]})
        verifier = GitHubIssueVerifier(client, "owner/repo", base_url=f"http://tracker.attacker.com:{server.port}")
        assert verify(verifier, "1") == ["host_not_found"]
        verifier = GitLabIssueVerifier(client, "owner/repo", base_url=f"http://127.0.0.1:{server.port}")
        assert verify(verifier, "1") == ["address_refused"]
    assert server.contacts == 0


def test_dois_are_requested_at_their_registry():
    """The registry's answers count as those of a page; characters that do not belong in a path are escaped."""
    with serve(lambda request: answer(404 if "missing" in request.target else 200)) as server:
        verifier = DoiVerifier(client_of(server), registry=url_of(server, "/api/handles/"))
        dois = ["10.1000/182", "10.1000/a?b#c", "10.1000/missing"]
        results = [asyncio.run(verifier.verify(Citation(CitationType.DOI, doi, 0, 1))) for doi in dois]
    assert [each.code.value for each in results] == ["http_success", "http_success", "http_gone"]
    assert [request.target for request in server.requests[:2]] == [
        "/api/handles/10.1000/182",
        "/api/handles/10.1000/a%3Fb%23c",
    ]


@pytest.mark.parametrize("doi", ["10.1000/../10.1000/182", "10.1000/.", "11.1000/182", "10.1000/", "10.1000/a b", ""])
def test_an_invalid_doi_is_not_requested(doi):
    """It would lead to another page of the registry."""
    verifier = DoiVerifier(client_for())
    assert asyncio.run(verifier.verify(Citation(CitationType.DOI, doi, 0, 1))).code == "not_an_id"


def words(page: str) -> str | None:
    """Return the words of a page, separated by single blanks."""
    text = text_of_page(page.encode())
    return None if text is None else " ".join(text.split())


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param("<!doctype html><p>We use <b>Redis</b></p><p>here", "We use Redis here", id="tags"),
        pytest.param("<html><script>if (a < b) x = '<p>'</script>text", "text", id="script"),
        pytest.param("<p>a</p><STYLE type=x>b{}</Style >c", "a c", id="style"),
        pytest.param("<p>a<!-- <b>not</b> said -->b", "a b", id="comment"),
        pytest.param("<p>5 < 6 &amp; 7 &gt; 6", "5 < 6 & 7 > 6", id="characters"),
        pytest.param("<p>a<br>b<td>c", "a b c", id="tags-part-words"),
        pytest.param("<p>a<script>never closed", "a", id="unclosed-script"),
        pytest.param("<p>a <b never closed", "a", id="unclosed-tag"),
        pytest.param("<?xml version='1.0'?><a>b</a>", "b", id="xml"),
        pytest.param("Plain: if a<b then <c>", "Plain: if a<b then <c>", id="plain-text-stays"),
        pytest.param("<p> <br> ", None, id="nothing"),
        pytest.param("", None, id="empty"),
    ],
)
def test_a_page_is_read_without_its_markup(page, expected):
    """Hidden text does not count."""
    assert words(page) == expected


@pytest.mark.parametrize("body", [b"%PDF\xff\xfe", b"\xff\xd8\xff\xe0", "Größe".encode("latin-1")])
def test_a_page_that_is_not_text_is_not_read(body):
    """Its content is unknown."""
    assert text_of_page(body) is None


@pytest.mark.parametrize(
    "piece", ["<", "<!--", "<script", "<script>", "</script", "<script></script", "<a ", "&", "<a>", "<svg></svg"]
)
def test_hostile_pages_are_read_in_linear_time(piece):
    """256 KiB of each: a repeated search would take minutes."""
    text = text_of_page(("<p>word" + piece * 262_144)[:262_144].encode())
    assert text is not None
    assert text.split()[0].startswith("word")


@given(
    st.lists(st.sampled_from(["<p>", "</p>", "word", " ", "<!-- c -->", "<script>w()</script>", "&lt;"]), max_size=20)
)
def test_words_between_the_markup_are_kept(pieces):
    """All words are kept in order, and nothing else."""
    shown = "".join(
        {"word": "word", "&lt;": "<", " ": " "}.get(piece, " " if piece.startswith("<") else piece) for piece in pieces
    )
    assert words("<p>" + "".join(pieces)) == (" ".join(shown.split()) or None)
