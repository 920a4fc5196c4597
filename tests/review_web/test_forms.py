"""Forms: only those of our own pages, of the same visitor, and of a decent size."""

import pytest

from review_web.site import HOST, fields


@pytest.mark.parametrize(
    "path",
    [
        *("/claims/{}/approve", "/claims/{}/reject", "/claims/{}/skip", "/claims/{}/assign"),
        *("/decisions", "/preferences", "/sign-out"),
    ],
)
@pytest.mark.parametrize("key", [None, "", "0" * 64, "anothers", "ü"])
def test_forms_need_the_key_of_this_session(site, path, key):
    """Another session's, even of the same person, is none."""
    queue_id = site.submit()
    client = site.client("reviewer")
    sent = {**fields(client.get(f"/claims/{queue_id}").text, "/approve"), "confirmed": "yes"}
    sent |= {"decision": "approve", "chosen": f"{queue_id} {sent['seen']}"}
    sent["form_key"] = fields(site.client("reviewer").get("/").text)["form_key"] if key == "anothers" else key
    sent = {name: value for name, value in sent.items() if value is not None}
    assert client.post(path.format(queue_id), data=sent).status_code == 403
    assert site.pending() == ["The API uses OAuth2"]
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1.evil.example"},
        {"origin": "http://127.0.0.1:8080"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": HOST},
    ],
)
def test_forms_of_other_sites_are_refused(site, headers):
    """CSRF: even with the right key, signing in included, and the API too."""
    queue_id = site.submit()
    client = site.client("owner")
    sent = {**fields(client.get(f"/claims/{queue_id}").text, "/approve"), "confirmed": "yes"}
    assert client.post(f"/claims/{queue_id}/approve", data=sent, headers=headers).status_code == 403
    token = {"token": site.token["owner"]}
    assert site.client().post("/sign-in", data=token, headers=headers).status_code == 403
    assert site.program("owner").post(f"/api/v1/claims/{queue_id}/approve", headers=headers).status_code == 403
    assert site.pending() == ["The API uses OAuth2"]


def test_a_session_is_nothing_to_the_api(site):
    """What browsers send by themselves does not open it."""
    queue_id = site.submit()
    client = site.client("owner")
    assert client.get("/api/v1/claims").status_code == 401
    assert client.post(f"/api/v1/claims/{queue_id}/approve").status_code == 401


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"a=1", "multipart/form-data; boundary=x", 415),
        (b"a=1", "text/plain", 415),
        (b"a=1&a=2", "application/x-www-form-urlencoded", 400),
        (b"a", "application/x-www-form-urlencoded", 400),
        (b"a=%ff", "application/x-www-form-urlencoded", 400),
        (b"\xff=1", "application/x-www-form-urlencoded", 400),
        (b"&".join(b"a%d=1" % number for number in range(50)), "application/x-www-form-urlencoded", 400),
        (b"a=" + b"x" * 256 * 1024, "application/x-www-form-urlencoded", 413),
    ],
)
def test_what_is_no_form_of_ours(site, content, kind, status):
    """Refused before anything is done."""
    answer = site.client("owner").post("/preferences", content=content, headers={"content-type": kind})
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("length", "status"), [("x", 400), ("-1", 400), ("1e9", 400), ("", 400), ("9" * 5_000, 413), ("999999999", 413)]
)
def test_lengths_that_are_none(site, length, status):
    """Told as what they are, by whatever server they come through, and never as a fault of ours."""
    headers = {"content-type": "application/json", "content-length": length}
    answer = site.program("owner").post("/api/v1/claims", content=b"{}", headers=headers)
    assert answer.status_code == status


def test_a_body_without_a_length_is_cut_off(site):
    """Sent in pieces, it is refused when it has become too large."""
    sent = []

    def pieces():
        for _ in range(1_000):
            sent.append(1)
            yield b"x" * 1024

    headers = {"content-type": "application/json"}
    answer = site.program("owner").post("/api/v1/claims", content=pieces(), headers=headers)
    assert answer.status_code == 413
