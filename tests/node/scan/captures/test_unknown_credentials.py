"""What lets in is found by asking without it."""

import asyncio
from collections.abc import Callable

import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.captures.unknown_credentials import UnknownCredentials

COOKIE = Point(("header", "COOKIE", "cookie", "shed_pass"))
THEME = Point(("header", "COOKIE", "cookie", "theme"))
GOOD, REFUSED = Response(200, body=b"{}"), Response(401)


def page(target: bytes, *headers: tuple[bytes, bytes], status: int = 200, method: str = "GET") -> Exchange:
    request = Request(method, target, ((b"Host", b"shed.example"), *headers), host="shed.example")
    return Exchange(request, Response(status, body=b"{}"))


BOTH = (b"Cookie", b"shed_pass=9f2c77ab10; theme=darkish")


def found(*exchanges: Exchange, guard: Callable[[Request], bool]) -> tuple[list[tuple[str, Point]], list[Request]]:
    unknown, sent = UnknownCredentials(compile_recogniser()), []
    for each in exchanges:
        unknown.see(each)

    async def send(request: Request) -> Answer:
        sent.append(request)
        return Answer(Exchange(request, GOOD if guard(request) else REFUSED))

    return asyncio.run(unknown.ask(send)), sent


def with_pass(request: Request) -> bool:
    return request.path == b"/about" or b"shed_pass=9f2c77ab10" in (request.first(b"Cookie") or b"")


def test_the_cookie_without_which_a_page_is_refused_lets_in_and_another_beside_it_does_not() -> None:
    letting, sent = found(page(b"/about", BOTH), page(b"/tools", BOTH), guard=with_pass)
    assert letting == [("shed.example", COOKIE)]
    assert {request.path for request in sent} == {b"/about", b"/tools"}


def test_the_pages_of_one_script_are_asked_for_each() -> None:
    start, orders = page(b"/index.php?do=start&x=1", BOTH), page(b"/index.php?do=orders", BOTH)
    letting, sent = found(start, orders, guard=lambda r: b"start" in (r.query or b"") or with_pass(r))
    assert letting == [("shed.example", COOKIE)]
    assert sent[0].query == b"do=start&x=1"


def test_what_a_script_does_with_a_page_may_stand_behind_the_pages_name() -> None:
    home, profile = page(b"/wiki.php?id=home", BOTH), page(b"/wiki.php?id=home&do=profile", BOTH)
    letting, _ = found(home, profile, guard=lambda r: b"profile" not in (r.query or b"") or with_pass(r))
    assert letting == [("shed.example", COOKIE)]


def test_a_page_that_somebody_else_was_refused_is_asked_for_first() -> None:
    public = [page(b"/page-%c" % (97 + number), BOTH) for number in range(9)]
    hers, refused = page(b"/notes", BOTH), page(b"/notes", (b"Cookie", b"shed_pass=77ab109f2c"), status=403)
    letting, sent = found(*public, hers, refused, guard=lambda r: r.path.startswith(b"/page") or with_pass(r))
    assert letting == [("shed.example", COOKIE)]
    assert sent[0].path == b"/notes"


def login(*headers: tuple[bytes, bytes]) -> Exchange:
    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    request = Request(
        "POST", b"/login", ((b"Host", b"shed.example"), form), b"name=ann&password=x", host="shed.example"
    )
    return Exchange(request, Response(302, ((b"Location", b"/"), *headers)))


@pytest.mark.parametrize("given", [True, False])
def test_more_pages_are_asked_for_where_a_login_gave_the_cookie(*, given: bool) -> None:
    public = [page(b"/page-%c" % (97 + number), BOTH) for number in range(15)]
    entered = login(*([(b"Set-Cookie", b"shed_pass=9f2c77ab10; Path=/")] if given else []))
    letting, sent = found(
        entered, *public, page(b"/notes", BOTH), guard=lambda r: r.path.startswith(b"/page") or with_pass(r)
    )
    assert letting == ([("shed.example", COOKIE)] if given else [])
    assert all(request.method == "GET" for request in sent)


def test_what_a_visitor_is_given_anew_with_each_login_lets_nobody_in() -> None:
    visits = (b"Cookie", b"shed_visit=5a81cc02e9")
    entered = login((b"Set-Cookie", b"shed_visit=5a81cc02e9; Path=/"))
    pages = [page(b"/page-%c" % (97 + number), visits) for number in range(40)]
    letting, sent = found(entered, *pages, page(b"/page-a", visits, status=403), guard=lambda _: True)
    assert letting == []
    assert len(sent) <= 24


def test_the_objects_of_one_page_are_asked_for_once() -> None:
    _, sent = found(*(page(b"/art.php?id=%d" % number, BOTH) for number in range(9)), guard=lambda _: True)
    assert len(sent) == 1


def test_so_does_a_header_of_the_applications_own() -> None:
    letting, _ = found(
        page(b"/tools", (b"X-Shed-Pass", b"k3y-of-ann"), (b"Accept-Language", b"de-DE,de")),
        guard=lambda request: request.first(b"X-Shed-Pass") is not None,
    )
    assert letting == [("shed.example", Point(("header", "X-SHED-PASS")))]


@pytest.mark.parametrize(
    ("handed", "lets_in"), [(b"0424bd59b807674191e7d775", True), (b"77ab109f2c77ab109f2c77ab", False)]
)
def test_what_a_login_handed_out_let_in_though_its_session_is_over(handed: bytes, *, lets_in: bool) -> None:
    kind = (b"Content-Type", b"application/json")
    said = b'{"name": "ann", "password": "tide and moon"}'
    request = Request("POST", b"/enter", ((b"Host", b"shed.example"), kind), said, host="shed.example")
    entered = Exchange(request, Response(200, (kind,), b'{"ticket": "%b"}' % handed))
    sent = ((b"X-Ticket", b"0424bd59b807674191e7d775"), (b"X-Screen", b"1280x900"))
    letting, asked = found(entered, page(b"/tools", *sent), page(b"/loans", *sent), guard=lambda _: False)
    assert letting == ([("shed.example", Point(("header", "X-TICKET")))] if lets_in else [])
    assert all(each.path != b"/enter" for each in asked)


TICKET = b"64856fea400a77e7a84bc1d967624beb"
ENTERED = Exchange(
    Request(
        "POST", b"/login", ((b"Host", b"shed.example"), (b"Content-Type", b"application/json")),
        b'{"name": "ann", "password": "x-77"}', host="shed.example",
    ),
    Response(200, ((b"Content-Type", b"application/json"),), b'{"t": "%s"}' % TICKET),
)  # fmt: skip


@pytest.mark.parametrize(("name", "login"), [(b"sid", ()), (b"ticket", ()), (b"t", (ENTERED,))])
def test_so_does_what_pages_carry_in_their_query_for_a_token(name: bytes, login: tuple[Exchange, ...]) -> None:
    carried = name + b"=" + TICKET
    letting, _ = found(
        *login, page(b"/tools?" + carried), page(b"/saws?kind=old&" + carried), guard=lambda r: TICKET in r.target
    )
    assert letting == [("shed.example", Point(("get", name.decode())))]


@pytest.mark.parametrize(
    "targets",
    [
        (b"/doc/7?token=%s", b"/doc/7?token=%s"),
        (b"/a?csrf_token=%s", b"/b?csrf_token=%s"),
        (b"/a?hue=%s", b"/b?hue=%s"),
    ],
    ids=["of one page", "against forged requests", "nobody gave it or calls it so"],
)
def test_what_else_a_query_holds_is_no_credential_of_its_sender(targets: tuple[bytes, ...]) -> None:
    pages = [page(target % TICKET) for target in targets]
    assert found(*pages, guard=lambda r: TICKET in r.target) == ([], [])


def test_nothing_lets_in_where_everybody_is_or_nobody_is_any_more() -> None:
    assert found(page(b"/tools", BOTH), guard=lambda _: True)[0] == []
    assert found(page(b"/tools", BOTH), guard=lambda _: False)[0] == []


def test_a_target_that_refuses_now_and_then_proves_nothing() -> None:
    turns = iter([False, True, True, True, True, True])
    assert found(page(b"/tools", BOTH), guard=lambda _: next(turns))[0] == []


def test_known_credentials_recorded_refusals_and_changes_are_not_asked_about() -> None:
    bearer = (b"Authorization", b"Bearer 8d5f2a90cc1e47ab")
    _, sent = found(
        page(b"/tools", BOTH, bearer),
        page(b"/tools", BOTH, status=401),
        page(b"/tools", BOTH, method="POST"),
        page(b"/logout", BOTH),
        page(b"/tools", (b"Cookie", b"_ga=GA1.2.1033.170"), (b"User-Agent", b"someone/1")),
        guard=with_pass,
    )
    assert sent == []


def test_queries_of_graphql_are_asked_for_each_and_mutations_never() -> None:
    pass_ = (b"X-Shed-Pass", b"k3y-of-ann")

    def post(query: bytes) -> Exchange:
        headers = ((b"Host", b"shed.example"), (b"Content-Type", b"application/json"), pass_)
        request = Request("POST", b"/graphql", headers, b'{"query": "%s"}' % query, host="shed.example")
        return Exchange(request, Response(200, body=b'{"data": {}}'))

    letting, sent = found(
        post(b"mutation { buyTool(id: 3) { id } }"),
        post(b"{ tools { name } }"),
        post(b"{ myTools { name } }"),
        guard=lambda request: b"{ tools" in request.body or request.first(b"X-Shed-Pass") is not None,
    )
    assert letting == [("shed.example", Point(("header", "X-SHED-PASS")))]
    assert {request.body for request in sent} == {
        b'{"query": "{ tools { name } }"}',
        b'{"query": "{ myTools { name } }"}',
    }


SECRET = "71354a2dfb0ab172a69d7032"
SHELL = Response(200, ((b"Content-Type", b"text/html"),), b"<title>Shed</title>")
HIDDEN = (page(b"/tools", (b"Cookie", b"box=71354a2dfb0ab172a69d7032; theme=darkish")), page(b"/me", (b"Cookie", b"box=71354a2dfb0ab172a69d7032; theme=darkish")))  # fmt: skip


TOKEN = b"0424bd59b807674191e7d77572075f33"


def call(method: bytes, rest: bytes, result: bytes = b"[]") -> Exchange:
    headers = ((b"Host", b"shed.example"), (b"Content-Type", b"application/json"))
    body = b'{"jsonrpc": "2.0", "id": 7, "method": "%s", %s}' % (method, rest)
    answer = Response(200, body=b'{"jsonrpc": "2.0", "id": 7, "result": %s}' % result)
    return Exchange(Request("POST", b"/rpc", headers, body, host="shed.example"), answer)


@pytest.mark.parametrize(
    ("name", "given", "lets_in"),
    [(b"auth", TOKEN, True), (b"auth", b"77ab109f2c77ab109f2c77ab109f2c00", False), (b"tenant", TOKEN, False)],
    ids=["a token", "from elsewhere", "of another name"],
)
def test_so_does_what_a_login_gave_and_calls_carry_beside_their_arguments(
    name: bytes, given: bytes, *, lets_in: bool
) -> None:
    signed_in = call(b"user.login", b'"params": {"username": "ann", "password": "x"}', b'"%s"' % given)
    read = call(b"tool.get", b'"params": {}, "%s": "%s"' % (name, TOKEN))
    letting, sent = found(signed_in, read, guard=lambda r: TOKEN in r.body)
    assert letting == ([("shed.example", Point(("post", "json_doc", "json_obj", "auth")))] if lets_in else [])
    assert bool(sent) is lets_in


def shown(nobody: Response, *exchanges: Exchange, everybodys: bytes = b"/none", value: str = SECRET) -> list[str]:
    """Names of what lets in where nobody is answered so without that cookie."""
    unknown = UnknownCredentials(compile_recogniser())
    for each in exchanges or HIDDEN:
        unknown.see(each)

    async def send(request: Request) -> Answer:
        is_shown = value.encode() in (request.first(b"Cookie") or b"") or request.path == everybodys
        return Answer(Exchange(request, GOOD if is_shown else nobody))

    return [point[-1] for _, point in asyncio.run(unknown.ask(send))]


@pytest.mark.parametrize("nobody", [Response(404, body=b"not here"), Response(500, body=b"oops"), SHELL])
def test_the_cookie_without_which_everything_is_hidden_lets_in(nobody: Response) -> None:
    assert shown(nobody) == ["box"]


def test_what_hides_little_lets_nobody_in() -> None:
    gone = Response(404, body=b"not here")
    assert shown(gone, everybodys=b"/me") == [], "a page is everybody's"
    assert shown(gone, HIDDEN[0]) == [], "one page may want it for another reason"
    assert shown(Response(503)) == [], "for the moment"
    assert shown(Response(200, body=b"{}")) == [], "answered alike"


def test_a_word_that_everybody_may_write_is_no_secret() -> None:
    """As a tenant's name, without which nothing is found."""
    pages = [page(path, (b"Cookie", b"tenant=harbour")) for path in (b"/tools", b"/me")]
    assert shown(Response(404), *pages, value="harbour") == []


def test_a_page_that_the_start_page_stands_for_is_hidden_as_the_others_are() -> None:
    titled = Response(200, ((b"Content-Type", b"text/html"),), b"<title>Tools</title>")
    cookie = (b"Cookie", b"box=71354a2dfb0ab172a69d7032")
    pages = [Exchange(page(path, cookie).request, titled) for path in (b"/tools", b"/me", b"/list")]

    def names(nobody: Callable[[Request], Response]) -> list[str]:
        unknown = UnknownCredentials(compile_recogniser())
        for each in pages:
            unknown.see(each)

        async def send(request: Request) -> Answer:
            known = (GOOD, titled)[request.path == b"/list"]
            return Answer(Exchange(request, known if request.first(b"Cookie") else nobody(request)))

        return [point[-1] for _, point in asyncio.run(unknown.ask(send))]

    assert names(lambda _: SHELL) == ["box"]
    own = Response(200, SHELL.headers, b"<title>Tools for you</title>")
    assert names(lambda request: own if request.path == b"/list" else SHELL) == [], "a page made for whoever comes"
