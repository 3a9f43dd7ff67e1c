"""A page's form leaves whoever an auth profile signs in the password that he has, or is not sent."""

from urllib.parse import parse_qsl

import pytest
from tests.node.loop import run
from tests.node.scan.drafts.test_obtaining import obtained

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity, Step
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.accounts.unknown_password import keeping_who_signs_in, signing_in_with
from gatecrash.node.test.beforehand.draft_answer import LOCKS_OUT, refuse_what_is_none

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
SET = "clave_nueva=Made-up-1&clave_conf=Made-up-1&go=Go"
BY_COOKIE = ProfileIdentity(name="ann", values=(Placed(("header", "COOKIE", "cookie", "sid"), "a"),))
BY_PASSWORD = ProfileIdentity(name="ann", variables=(("user", "ann"), ("password", "Ann-1")))
LOGIN = Step(method="POST", url="/entrar", form=(("usuario", "${u}"), ("clave", "${p}")))
OTHERWISE_CALLED = ProfileIdentity(name="ann", variables=(("u", "ann"), ("p", "Ann-1")), login=(LOGIN,))


def form(method: str, path: str, sent: str, *, port: int = 80, on_a_page: bool = True, operation: bool = True) -> Draft:
    headers = ((b"Host", b"127.0.0.1"),) + (((b"Referer", b"http://127.0.0.1/x"),) if on_a_page else ())
    target, body = (f"{path}?{sent}", b"") if method == "GET" else (path, sent.encode())
    headers += (FORM, (b"Content-Length", b"%d" % len(body))) if body else ()
    request = Request(method, target.encode(), headers, body, "http", "127.0.0.1", port)
    return Draft(request, drafted=True, operation=operation)


def sent_in(draft: Draft) -> dict[str, str]:
    return dict(parse_qsl((draft.request.body or draft.request.query or b"").decode()))


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "sent", [SET, SET + "&token=5f2c", SET + "&user=ann"], ids=["alone", "with a token", "with a hidden name"]
)
def test_a_form_that_sets_a_password_nobody_knows_is_not_sent_and_told(method: str, sent: str) -> None:
    held = keeping_who_signs_in(form(method, "/cuenta", sent), [BY_COOKIE])
    assert held.kept
    with pytest.raises(UserError, match="give that of whom the auth profile signs in"):
        refuse_what_is_none(held)
    assert "password: " in LOCKS_OUT


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("ann", [BY_PASSWORD, OTHERWISE_CALLED], ids=["called so", "called otherwise"])
@pytest.mark.parametrize("beside", ["", "&token=5f2c"])
def test_it_sets_the_one_that_is_known(method: str, ann: ProfileIdentity, beside: str) -> None:
    kept = keeping_who_signs_in(form(method, "/cuenta", SET + beside), [ann])
    assert not kept.kept
    assert [sent_in(kept)[name] for name in ("clave_nueva", "clave_conf")] == ["Ann-1", "Ann-1"]


def test_a_hidden_name_may_be_his_own_and_is_nobody_elses() -> None:
    own = keeping_who_signs_in(form("POST", "/cuenta", SET + "&user=ann"), [BY_PASSWORD])
    assert (own.kept, sent_in(own)["clave_nueva"]) == (False, "Ann-1")
    assert keeping_who_signs_in(form("POST", "/cuenta", SET + "&user=bob"), [BY_PASSWORD]).kept


@pytest.mark.parametrize(
    "draft",
    [
        form("POST", "/cuenta", SET, on_a_page=False),
        form("POST", "/cuenta", SET, operation=False),
        form("POST", "/register", "user=x&password=y&new_password=y"),
        form("POST", "/forgot", "mail=x&new_password=y&code=7"),
        form("POST", "/login", "user=x&password=y"),
        form("POST", "/notes", "text=new"),
    ],
    ids=["described", "written by somebody", "joins", "forgot it", "signs in", "no password"],
)
def test_anything_else_is_sent(draft: Draft) -> None:
    assert keeping_who_signs_in(draft, [BY_COOKIE]) is draft


def test_a_visitor_has_no_password_to_lose() -> None:
    assert not keeping_who_signs_in(form("POST", "/cuenta", SET), []).kept


def test_the_password_of_a_login_counts_where_no_variable_is_called_one() -> None:
    assert signing_in_with(OTHERWISE_CALLED) == (("u", "ann"), ("p", "Ann-1"), ("password", "Ann-1"))
    assert signing_in_with(BY_PASSWORD) == BY_PASSWORD.variables
    taken = Step(method="POST", url="/in", form=(("clave", "${given_before}"),))
    assert signing_in_with(ProfileIdentity(name="ann", login=(taken,))) == ()


@run
async def test_nothing_reaches_the_target_that_would_lock_him_out() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while await server.read_request(reader):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    async with RawServer(talk) as server:
        paths = (("GET", "/cuenta"), ("POST", "/cuenta"), ("POST", "/passwd"))
        sent = [form(*each, SET, port=server.port) for each in (*paths, ("POST", "/notes"))]
        sent[-1] = form("POST", "/notes", "text=tea", port=server.port)
        await obtained(server.port, *sent, profile=AuthProfile(id="p", name="p", identities=(BY_COOKIE,)))
        received = b"".join(server.received)
    assert b"text=tea" in received
    assert b"Made-up-1" not in received
