"""A call has the token in the header that its script names."""

import asyncio

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.crawl_tokens import CrawlTokens
from gatecrash.node.scan.crawling import Crawl

HTML = (b"Content-Type", b"text/html")
CALL = Request("POST", b"/api/notes", ((b"Host", b"shop.example"), (b"Accept", b"*/*")), b"{}", host="shop.example")
META = b'<meta name="csrf-token" content="of-the-page">'


def tokens(code: str, *cookies: bytes, page: bytes = b"<p>", sent: bytes = b"", status: int = 200) -> CrawlTokens:
    known = CrawlTokens()
    known.named_in(code)
    headers = (HTML, *((b"Set-Cookie", each) for each in cookies))
    asked = Request("GET", b"/", ((b"Cookie", sent),) if sent else (), host="shop.example")
    known.learn(Exchange(asked, Response(status, headers, page)))
    return known


NAMED = "fetch(to, {headers: {'X-CSRFToken': token()}})"


@pytest.mark.parametrize(
    ("known", "name", "value"),
    [
        (tokens("h={'X-XSRFToken': t}", b"_xsrf=2%7Cab12"), b"X-XSRFToken", b"2|ab12"),
        (tokens("", b"XSRF-TOKEN=abcdef"), b"X-XSRF-TOKEN", b"abcdef"),
        (tokens(NAMED, sent=b"csrftoken=of-the-login"), b"X-CSRFToken", b"of-the-login"),
        (tokens("h={'X-CSRF-Token': t}", page=META), b"X-CSRF-Token", b"of-the-page"),
        (
            tokens("h={'anti-csrf': t}", page=b'<script>window.csrf = "of-a-script";</script>'),
            b"anti-csrf",
            b"of-a-script",
        ),
        (tokens("h={'X-CSRF-Token': t}", b"_csrf=secret; HttpOnly", page=META), b"X-CSRF-Token", b"of-the-page"),
        (tokens("h={'X-CSRF-TOKEN': t}", b"XSRF-TOKEN=sealed", page=META), b"X-CSRF-TOKEN", b"of-the-page"),
        (tokens("h={'anti-forgery-csrf': t}", b"xsrf_value=abcdef"), b"anti-forgery-csrf", b"abcdef"),
    ],
    ids=["cookie", "clients", "login", "meta", "script", "no script reads it", "another's", "no cookie alike"],
)
def test_each_header_has_what_its_site_hands_out(known: CrawlTokens, name: bytes, value: bytes) -> None:
    assert known.on(CALL).first(name) == value


def test_what_is_handed_out_last_holds() -> None:
    known = tokens("h={'X-CSRF-Token': t}", page=META)
    known.learn(Exchange(Request("GET", b"/"), Response(200, (HTML,), META.replace(b"of-the-page", b"of-the-next"))))
    assert known.on(CALL).first(b"X-CSRF-Token") == b"of-the-next"


def test_nothing_is_made_up_and_nothing_is_put_on_what_scripts_do_not_send() -> None:
    known = tokens(NAMED, b"csrftoken=abcdef")
    form = Request("POST", b"/notes", ((b"Accept", b"text/html"),), b"a=b")
    own = Request("POST", b"/notes", ((b"Accept", b"*/*"), (b"X-CSRFToken", b"own")), b"a=b")
    reads = Request("GET", b"/notes", ((b"Accept", b"*/*"),))
    assert [known.on(each) for each in (form, own, reads)] == [form, own, reads]
    for untold in (tokens(NAMED), tokens("", b"csrftoken=abcdef"), tokens(NAMED, page=META, status=404)):
        assert untold.on(CALL) is CALL


@pytest.mark.parametrize("submits", [True, False])
def test_a_walk_sends_and_keeps_calls_with_the_token_of_now(*, submits: bool) -> None:
    code = (
        "function add(t) { return fetch('/api/notes', {method: 'POST', headers: {'X-CSRF-Token': token()}, body: t}) }"
    )
    shown: list[bytes] = []
    sent: list[Request] = []

    async def send(request: Request) -> Answer:
        sent.append(request)
        if request.target != b"/" or request.method != "GET":
            return Answer(Exchange(request, Response(201 if request.method == "POST" else 404)))
        shown.append(b"of-page-%d" % len(shown))
        page = b'<meta name="csrf-token" content="%s"><script>%s</script>' % (shown[-1], code.encode())
        return Answer(Exchange(request, Response(200, (HTML,), page)))

    crawl = Crawl(send, submits=submits)
    asyncio.run(crawl.run(Request("GET", b"/", ((b"Accept", b"text/html"),), host="shop.example")))
    calls = [each.request for each in crawl.found() if each.request.method == "POST"]
    assert [each.first(b"X-CSRF-Token") for each in calls] == [shown[-1]]
    assert [each.first(b"X-CSRF-Token") for each in sent if each.method == "POST"] == ([shown[-1]] if submits else [])
    assert len(shown) == 1 + submits, "read anew for the call that is sent"
