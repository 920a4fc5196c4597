"""Fifty script injections in every field, opened in a real browser: all of them stay text."""

from urllib.parse import quote

from groundwire.ingestion import (
    CheckedCitation,
    Citation,
    CitationType,
    HedgeAction,
    HedgeCategory,
    HedgeCue,
    HedgeResult,
    VerificationResult,
)
from groundwire.memory import StoredMemory
from groundwire.sanitize import without_hidden
from review.waiting import NOON, evidence, validation
from review_web.site import Site, decide

PAYLOADS = (
    "<script>pwned=1</script>",
    "<ScRiPt >pwned=1</sCrIpT>",
    "<script src=//evil.example/x.js></script>",
    "<script\x0c>pwned=1</script>",
    "</script><script>pwned=1</script>",
    "<<script>script>pwned=1<</script>/script>",
    "<img src=x onerror=pwned=1>",
    "<img src=x onerror='pwned=1'",
    '<img """><script>pwned=1</script>">',
    "<img/src=x/onerror=pwned=1>",
    "<svg onload=pwned=1>",
    "<svg><script>pwned=1</script></svg>",
    "<svg><animate onbegin=pwned=1 attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:pwned=1><text>x</text></a></svg>",
    "<math><mtext></mtext><mglyph><style><img src=x onerror=pwned=1></style></mglyph></math>",
    "<iframe src=javascript:parent.pwned=1></iframe>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<object data=javascript:pwned=1></object>",
    "<embed src=javascript:pwned=1>",
    "<body onload=pwned=1>",
    "<details open ontoggle=pwned=1>",
    "<video><source onerror=pwned=1></video>",
    "<audio src=x onerror=pwned=1>",
    "<input autofocus onfocus=pwned=1>",
    "<textarea autofocus onfocus=pwned=1></textarea>",
    "<select autofocus onfocus=pwned=1>",
    "<marquee onstart=pwned=1>",
    "<form action=javascript:pwned=1><button>go</button></form>",
    "<a href=javascript:pwned=1>click</a>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content=0;url=//evil.example/>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<style>@import '//evil.example/x.css';</style>",
    "<template><script>pwned=1</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=pwned=1>'>",
    "</textarea><script>pwned=1</script>",
    "</title><script>pwned=1</script>",
    "</q></li></ul><script>pwned=1</script>",
    '" onfocus="pwned=1" autofocus="',
    "' onfocus='pwned=1' autofocus='",
    '"><script>pwned=1</script>',
    "'><script>pwned=1</script>",
    "` onmouseover=pwned=1 `",
    "javascript:pwned=1",
    "https://a.example/\" onmouseover=\"pwned=1",
    "{{ 7*7 }}{% raw %}{{ cycler.__init__.__globals__ }}",
    "${7*7}#{7*7}<%= 7*7 %>",
    "&lt;script&gt;pwned=1&lt;/script&gt;",
    "&#60;script&#62;pwned=1&#60;/script&#62;",
    "\u202e\x1b]0;x\x07<script>pwned=1</script>\u2028\ufeff",
)  # fmt: skip

# Elements that no page of ours has in its content, and whether a script ran.
FOREIGN = """() => {
  const strange = "script, img, svg, math, iframe, object, embed, style, base, meta, link, video, audio, marquee";
  const found = [...document.querySelectorAll(`main :is(${strange})`)].map((one) => one.outerHTML);
  for (const one of document.querySelectorAll("*")) {
    for (const { name, value } of one.attributes) {
      if (name.startsWith("on") || name === "style" || name === "srcdoc") found.push(`${one.tagName} ${name}`);
      const leads = /^(href|action|src)$/.test(name);
      if (leads && !/^(\\/|#|data:,|https:\\/\\/a\\.example)/.test(value)) found.push(`${name}=${value}`);
    }
  }
  return [found, typeof pwned, document.querySelectorAll("main form").length];
}"""


def fill(site: Site, payload: str, number: int) -> str:
    """Submit a claim with *payload* in every text field; return its id."""
    memory = StoredMemory(
        id=f"m{number}", user_id=payload, content=f"{payload} remembered", memory_type="fact", source="user",
        capture_time=NOON, confidence="high", source_ids=(payload,),
    )  # fmt: skip
    site.store.add(memory, time=NOON)
    told = evidence(payload, source_id=payload, metadata={payload: [payload]})
    cited = CheckedCitation(
        Citation(CitationType.URL, payload, 0, min(4, len(payload))),
        VerificationResult(valid=False, reason=payload, status="refuted"),
    )
    result = validation(
        payload,
        evidence=told,
        reason=payload,
        checks_passed=[payload, f"no_speculation: {payload}"],
        checks_failed=[payload, f"hedge_words_detected: {payload}"],
        conflicting_memory_id=f"m{number}",
        hedges=HedgeResult(
            True, HedgeAction.REVIEW, [payload], (HedgeCue(payload, 2, 9, HedgeCategory.TECHNICAL_HEDGE, "en"),)
        ),
        citations=(cited,),
    )
    return site.submit(payload, payload, evidence=told, validation_result=result)


def test_there_are_fifty():
    """They are all different."""
    assert len({*PAYLOADS}) == 50


def test_texts_stay_texts(site, visit, expect):
    """They stay text on the list, on claims, in forms and after decisions, even without the page's policy."""
    ids = [fill(site, payload, number) for number, payload in enumerate(PAYLOADS)]
    # The page's policy is off, so that only escaping counts.
    page = visit(bypass_csp=True)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    address = page.url
    for number in range(0, 50, 20):
        after = "" if number == 0 else page.locator("a[rel=next]").get_attribute("href")
        page.goto(after or "/")
        assert page.evaluate(FOREIGN)[:2] == [[], "undefined"]
    for payload, queue_id in zip(PAYLOADS, ids, strict=True):
        page.goto(f"/claims/{queue_id}")
        # Approve, approve as edited, reject, postpone; assign to oneself and to another.
        assert page.evaluate(FOREIGN) == [[], "undefined", 6]
        # An edit starts without hidden characters.
        assert page.input_value("#content") == without_hidden(payload)
        page.evaluate("text => { document.querySelector('#reason').value = text; }", payload)
        page.locator("[data-reject] form").evaluate("form => form.submit()")
        expect(page.locator(".confirm button")).to_be_focused()
        page.wait_for_load_state()
        assert page.evaluate(FOREIGN) == [[], "undefined", 1]
    assert [url for url in asked if not url.startswith((address, "data:,"))] == []


def test_memories_stay_texts(site, visit):
    """Content, user, source and metadata of memories stay text, and so do the sources that are revoked."""
    page = visit(bypass_csp=True)
    for number, payload in enumerate(PAYLOADS):
        memory = StoredMemory(
            id=f"m{number}", user_id=payload, content=payload, memory_type="fact", source="user", capture_time=NOON,
            confidence="high", source_ids=(payload,), metadata={payload: [payload]},
        )  # fmt: skip
        site.store.add(memory, time=NOON)
        page.goto(f"/memories/m{number}")
        assert page.evaluate(FOREIGN) == [[], "undefined", 1]
        page.locator("main form").evaluate("form => form.submit()")
        page.locator(".confirm").wait_for()
        assert page.evaluate(FOREIGN) == [[], "undefined", 1]
        said = quote(payload, safe="")
        page.goto(f"/memories?cites={said}&memory_type={said}&user_id={said}&after={said}")
        assert page.evaluate(FOREIGN)[:2] == [[], "undefined"]
        assert page.input_value("#cites") == payload
    for after in ("", "?after=m19", "?after=m39"):
        page.goto(f"/memories{after}")
        assert page.evaluate(FOREIGN)[:2] == [[], "undefined"]


def test_reasons_and_names_stay_texts(site, visit):
    """Reasons and names of reviewers are shown on decided claims, with the policy on."""
    for payload in PAYLOADS[::5]:
        queue_id = site.submit(payload)
        assert decide(site.client("owner"), queue_id, "reject", reason=payload).status_code == 303
        page = visit(path=f"/claims/{queue_id}")
        assert page.evaluate(FOREIGN) == [[], "undefined", 0]
    page = visit(path="/?state=rejected")
    assert page.evaluate(FOREIGN)[:2] == [[], "undefined"]


def test_addresses_stay_texts(visit):
    """Filters and the next page come from the address."""
    page = visit(bypass_csp=True)
    for payload in PAYLOADS:
        said = quote(payload, safe="")
        page.goto(f"/?source={said}&memory_type={said}&user_id={said}&failed_check={said}&done={said}&of={said}")
        assert page.evaluate(FOREIGN) == [[], "undefined", 1]
        assert page.input_value("#source") == payload
