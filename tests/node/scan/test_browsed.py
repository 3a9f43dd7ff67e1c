"""A browser beside a walk: as whom, and what becomes of what it saw."""

import asyncio

import msgspec

from gatecrash.core.message import Exchange, Request, Response, with_body
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.entrance import Account
from gatecrash.core.testing.profiles.profile import AuthProfile, ProfileIdentity, Step
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.browser.walking import WalkCaller
from gatecrash.node.scan.browsed import account_of, browsing
from gatecrash.node.scan.crawling import Crawl
from gatecrash.node.scan.outgoing import Way

FRONT = Request("GET", b"/", ((b"Host", b"shop.example"),), host="shop.example")
APP = "<div id=app></div><script src=/app.js></script>"


def call(method: str, target: str, body: str = "") -> Request:
    return with_body(
        msgspec.structs.replace(
            FRONT, method=method, target=target.encode(), headers=((b"Content-Type", b"application/json"),)
        ),
        body.encode(),
    )


def crawled(*calls: Request, page: str = APP, submits: bool = False) -> tuple[Crawl, list[str], list[str]]:
    """The walk, what was sent, and what it found: drafts with their bodies."""
    sent: list[str] = []

    async def send(request: Request) -> Answer:
        sent.append(f"{request.method} {request.target.decode()}")
        kind, body = {
            "/": ("text/html", page),
            "/app.js": ("text/javascript", "fetch('/api/notes', {method: 'POST', body: '{}'})"),
        }.get(request.path.decode(), ("application/json", '{"a": 1}'))
        return Answer(Exchange(request, Response(200, ((b"Content-Type", kind.encode()),), body.encode())))

    async def browse(front: Request, caller: WalkCaller) -> list[Request]:
        assert caller.goes_on()
        caller.put(front, [b"seen=1; Path=/"])
        await caller.ask(call("GET", "/api/beside"))
        return list(calls)

    crawl = Crawl(send, submits=submits, browse=browse)
    asyncio.run(crawl.run(FRONT))
    found = [
        f"{each.request.method} {each.request.target.decode()} {each.request.body.decode()}".strip()
        for each in crawl.found()
    ]
    return crawl, sent, found


def test_what_reads_is_read_and_what_changes_something_is_a_draft_as_it_was_seen() -> None:
    crawl, sent, found = crawled(call("GET", "/api/orders/71"), call("POST", "/api/notes", '{"text":"tea"}'))
    assert "GET /api/orders/71" in found
    assert 'POST /api/notes {"text":"tea"}' in found
    assert "POST /api/notes" not in sent
    assert crawl.run_calls == 2
    # What the browser asked is no page that is counted.
    assert "GET /api/beside" in sent
    assert "GET /api/beside" not in found


def test_it_is_sent_once_as_forms_are() -> None:
    _, sent, found = crawled(call("POST", "/api/notes", '{"text":"tea"}'), submits=True)
    assert sent.count("POST /api/notes") == 1
    assert 'POST /api/notes {"text":"tea"}' in found


def test_what_deletes_is_left_alone_and_told() -> None:
    crawl, sent, found = crawled(call("DELETE", "/api/notes/7"), call("POST", "/api/sessions/logout"))
    assert not [each for each in [*sent, *found] if "notes/7" in each or "logout" in each]
    assert list(crawl.left_alone) == ["DELETE /api/notes/7", "POST /api/sessions/logout"]


def test_a_query_that_is_posted_reads() -> None:
    query = call("POST", "/graphql", '{"query":"query a { notes { id } }"}')
    _, sent, _ = crawled(query)
    assert "POST /graphql" in sent


def test_a_page_without_scripts_needs_no_browser() -> None:
    crawl, _, _ = crawled(call("GET", "/api/orders/71"), page="<p>Welcome</p>")
    assert crawl.run_calls == 0


def test_who_signs_in_by_a_name_and_a_password_does_so_in_the_browser() -> None:
    ann = ProfileIdentity(name="a", variables=(("user", "ann"), ("password", "lighthouse-9")))
    assert account_of(ann) == Account(user="ann", mail="ann", password="lighthouse-9")
    step = Step(method="POST", url="/login", json='{"user": {"email": "${who}", "password": "lighthouse-9"}}')
    written = ProfileIdentity(name="a", variables=(("who", "ann@shop.example"),), login=(step,))
    assert account_of(written) == Account(user="ann@shop.example", mail="ann@shop.example", password="lighthouse-9")
    form = Step(method="POST", url="/login", form=(("login", "ann"), ("pwd", "${taken}"), ("password", "x")))
    assert account_of(ProfileIdentity(name="a", login=(form,))) == Account(user="ann", mail="ann", password="x")


def test_who_has_a_token_alone_does_not() -> None:
    assert account_of(ProfileIdentity(name="a", variables=(("token", "t-1"),))) is None
    assert account_of(ProfileIdentity(name="a", login=(Step(method="POST", url="/login", json="{"),))) is None


def test_without_a_browser_there_is_none() -> None:
    profile = AuthProfile(id="p", name="p", identities=())
    assert browsing(Way(AllowedHosts("")), profile) is None
    assert browsing(Way(AllowedHosts(""), browser="/bin/chromium"), profile) is not None
