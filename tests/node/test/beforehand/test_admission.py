"""A described request is sent as the first identity; where that one is refused, as the lowest of the others who is let in."""

import msgspec
from tests.node.loop import run
from tests.node.test.answering import Application, Says, get, traffic

from gatecrash.core.message import Request, Response
from gatecrash.formats.draft import Draft, packed, sender_of, unpacked
from gatecrash.node.test.beforehand.admission import MOST_OTHERS, admitted, first_sender, others

RANKS = {"ann": 1, "boss": 9, "clerk": 5}


def users(**ranks: int) -> dict[str, object]:
    values = [{"point": ["header", "X-KEY"], "value": "${key}"}]
    named = [{"name": name, "rank": rank, "variables": {"key": name}} for name, rank in ranks.items()]
    return {"values": values, "identities": named}


def let_in(*names: str, status: int = 200) -> Says:
    """Lets some in, and tells the others that they may not."""

    def says(request: Request) -> Response:
        key = (request.first(b"X-Key") or b"").decode()
        return Response(status if key in names else 403)

    return says


async def sent(says: Says, draft: Draft, **ranks: int) -> tuple[Draft, int, list[str]]:
    application = Application(says)
    found, answer = await admitted(traffic(application, users(**(ranks or RANKS))), "bl_1", draft)
    assert answer.exchange.response is not None
    keys = [(request.first(b"X-Key") or b"").decode() for request in application.asked]
    return found, answer.exchange.response.status, keys


def draft(path: str = "/stock", method: str = "GET") -> Draft:
    return Draft(get(path, method=method), drafted=True)


@run
async def test_who_is_let_in_at_once_is_the_sender_and_nobody_else_is_asked() -> None:
    found, status, keys = await sent(let_in("ann", "boss"), draft())
    assert (sender_of(found), status, keys) == ("", 200, ["ann"])


@run
async def test_the_lowest_who_is_let_in_sends_what_is_refused_to_the_first() -> None:
    found, status, keys = await sent(let_in("boss", "clerk"), draft(method="POST"))
    assert (sender_of(found), status, keys) == ("clerk", 200, ["ann", "clerk"])
    again, _, keys = await sent(let_in("boss", "clerk"), found)
    assert (sender_of(again), keys) == ("clerk", ["clerk"]), "who was let in once is asked first"
    other, _, keys = await sent(let_in("ann"), found)
    assert (sender_of(other), keys) == ("ann", ["clerk", "ann"]), (
        "and is not kept where another thing is somebody else's"
    )


@run
async def test_what_is_refused_to_all_stays_as_the_first_was_answered() -> None:
    found, status, keys = await sent(let_in(), draft())
    assert (sender_of(found), status, keys) == ("", 403, ["ann", "clerk", "boss"])


@run
async def test_what_sets_a_password_is_sent_by_nobody_else() -> None:
    found, status, keys = await sent(let_in("boss"), draft("/desk?password_new=a1&password_conf=a1"))
    assert (sender_of(found), status, keys) == ("", 403, ["ann"])


@run
async def test_who_finds_it_is_preferred_to_who_is_told_that_it_is_not_there() -> None:
    def says(request: Request) -> Response:
        return Response({b"ann": 403, b"clerk": 404, b"boss": 200}[request.first(b"X-Key") or b""])

    assert (await sent(says, draft("/stock/7")))[:2] == (msgspec.structs.replace(draft("/stock/7"), sender="boss"), 200)
    assert (await sent(let_in("clerk", status=404), draft("/stock/7")))[1:] == (404, ["ann", "clerk", "boss"])


@run
async def test_what_is_for_whoever_has_no_session_is_asked_once() -> None:
    public = msgspec.structs.replace(draft(), public=True)
    assert (await sent(let_in(), public))[1:] == (403, ["ann"])
    login = msgspec.structs.replace(get("/login", method="POST"), body=b'{"user":"a","password":"b"}')
    assert (await sent(let_in(), Draft(login, drafted=True)))[1:] == (403, ["ann"])


@run
async def test_what_signs_in_is_sent_in_no_session_that_came_from_a_login() -> None:
    """The application ends the session that a login comes in, and gives another."""
    living: set[str] = set()

    def says(request: Request) -> Response:
        key = (request.first(b"Cookie") or b"").decode()
        if request.path in (b"/login", b"/desk/login"):
            living.discard(key)
            if request.path == b"/desk/login" and not key:
                return Response(401)
            living.add(f"sid={len(asked)}")
            return Response(200, ((b"Set-Cookie", f"sid={len(asked)}".encode()),))
        return Response(200 if key in living else 401)

    application = Application(says)
    asked = application.asked
    login = {"path": "/login", "form": {"user": "ann"}}
    to = traffic(application, {"login": [login], "identities": [{"name": "ann"}]})
    post = msgspec.structs.replace(get("/login", method="POST"), body=b'{"user":"a","password":"b"}')
    for path, statuses in (("/login", (200,)), ("/desk/login", (401, 200))):
        await admitted(to, "bl_1", draft("/stock"))
        before = len(asked)
        request = msgspec.structs.replace(post, target=path.encode())
        _, answer = await admitted(to, "bl_1", Draft(request, drafted=True))
        assert answer.exchange.response is not None
        assert (answer.exchange.response.status, len(asked) - before) == (statuses[-1], len(statuses)), path
        assert asked[before].first(b"Cookie") is None
    public = msgspec.structs.replace(Draft(request, drafted=True), public=True)
    before = len(asked)
    await admitted(to, "bl_1", public)
    assert len(asked) - before == 1, "what is for visitors is not tried in a session"


@run
async def test_a_refusal_of_many_identities_costs_a_bounded_number_of_requests() -> None:
    many = {f"user{number}": number for number in range(12)}
    assert len((await sent(let_in(), draft(), **many))[2]) == 1 + MOST_OTHERS


def test_who_was_let_in_is_kept_with_a_draft() -> None:
    one = msgspec.structs.replace(draft(), sender="boss")
    assert unpacked(packed(one)) == one
    assert unpacked(packed(draft())).sender == ""


@run
async def test_what_the_first_was_refused_is_known_beside_what_others_are_let_in_at() -> None:
    sent_to = traffic(Application(let_in("boss")), users(**RANKS))
    await admitted(sent_to, "bl_1", draft("/stock/prices"))
    beside = get("/stock/orders")
    assert sent_to.pages.barred(beside) != ()
    open_to_all = traffic(Application(let_in("ann", "boss")), users(**RANKS))
    await admitted(open_to_all, "bl_1", draft("/stock/prices"))
    assert open_to_all.pages.barred(beside) == ()


@run
async def test_the_lowest_is_asked_first_wherever_the_profile_names_him() -> None:
    def first(**ranks: int) -> str:
        return first_sender(traffic(Application(let_in()), users(**ranks)), draft())

    assert first(boss=9, clerk=5, ann=1, ben=1) == "ann"
    assert first(ann=1, ben=1, boss=9) == ""
    assert first(ann=0, boss=0) == ""
    assert first_sender(traffic(Application(let_in())), draft()) == ""


@run
async def test_nobody_else_sends_what_sets_a_password() -> None:
    sent_to, json = traffic(Application(let_in()), users(**RANKS)), ((b"Content-Type", b"application/json"),)
    setting = Request("PUT", b"/me/password", json, b'{"new_password": "x"}', host="here")
    assert list(others(sent_to, Draft(setting, drafted=True))) == []
    assert list(others(sent_to, draft())) == ["clerk", "boss"]
