"""Whose session a draft is sent in."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.forms.sources import FormSources
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.sending import own_credentials, sent_as_meant
from gatecrash.node.test.sessions.living import LoginFailed

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
PAGE = (
    b"<form method=post><input type=hidden name=_token value=new-77777777><input type=hidden name=ficha value=4f1c9a7e2b4f1c9a7e2b>"
    b"<input name=user><input name=password></form>"
)


class Traffic:
    """Somebody is signed in by a cookie; whoever asks without it is given another."""

    def __init__(self, barred: dict[bytes, bytes] | None = None) -> None:
        self.sent: list[Request] = []
        self.own = 0
        self.barred = dict(barred or {})
        self.sessions = SimpleNamespace(own=self._own, profile=None)
        self.forms = SimpleNamespace(sources=FormSources())

    def _own(self, *_: object) -> None:
        self.own += 1

    async def send(self, request: Request, _baseline: str, *_: object) -> Answer:
        self.sent.append(request)
        if request.path in self.barred:
            return Answer(Exchange(request, Response(302, ((b"Location", self.barred[request.path]),), b"")))
        shown = Response(200, ((b"Content-Type", b"text/html"), (b"Set-Cookie", b"sid=visitor")), PAGE)
        return Answer(Exchange(request, shown if request.method == "GET" else Response(200, (), b"in")))


def sent(
    path: bytes, body: bytes, *, referer: bool = True, barred: dict[bytes, bytes] | None = None
) -> tuple[Draft, Traffic]:
    headers = ((b"Host", b"club.example"), FORM, *(((b"Referer", b"http://club.example" + path),) if referer else ()))
    traffic = Traffic(barred)
    draft = Draft(Request("POST", path, headers, body, host="club.example"), drafted=True)
    return asyncio.run(sent_as_meant(cast("Any", traffic), "b1", draft))[0], traffic


@pytest.mark.parametrize("path", [b"/login", b"/register"])
def test_a_form_that_lets_somebody_in_is_sent_as_a_visitor(path: bytes) -> None:
    draft, traffic = sent(path, b"_token=old-11111111&user=a&password=b")
    assert traffic.own == 0
    assert draft.request.first(b"Cookie") == b"sid=visitor"
    assert draft.request.body == b"_token=new-77777777&user=a&password=b"


def test_what_its_page_handed_out_is_made_anew_for_the_tests_whatever_it_is_called() -> None:
    draft, traffic = sent(b"/login", b"ficha=c07d5e19b2c07d5e19b2&user=a&password=b")
    (token,) = traffic.forms.sources.tokens(draft.request)
    assert (token.point[-1], token.value) == ("ficha", b"4f1c9a7e2b4f1c9a7e2b")


@pytest.mark.parametrize(
    ("path", "body", "referer"),
    [(b"/notes", b"text=a", True), (b"/login", b"user=a&password=b", False), (b"/register", b"event=7", True)],
    ids=["another form", "a description's login", "no account is made"],
)
def test_anything_else_is_sent_in_its_senders_session(path: bytes, body: bytes, referer: bool) -> None:
    draft, traffic = sent(path, body, referer=referer)
    assert traffic.own > 0
    assert draft.request.first(b"Cookie") is None


@pytest.mark.parametrize(("to", "own"), [(b"/sign-in", True), (b"/welcome", False)])
def test_a_login_on_a_page_that_only_who_is_signed_in_sees_is_sent_in_his_session(to: bytes, own: bool) -> None:
    """Twin: where visitors are led on to something else than a login, the page is for them."""
    _, traffic = sent(b"/desk/login", b"user=a&password=b", barred={b"/desk/login": to})
    assert (traffic.own > 0) is own


@pytest.mark.parametrize(("who", "held"), [("ann", [b"Bearer t"]), ("ben", []), (None, [])])
def test_credentials_are_ones_own_where_they_are_the_first_users(who: str | None, held: list[bytes]) -> None:
    ann, ben = SimpleNamespace(name="ann"), SimpleNamespace(name="ben")
    values = {Point.of("header", "AUTHORIZATION"): b"Bearer t"}
    known = {None: None} | {one.name: SimpleNamespace(identity=one, values=lambda _host: values) for one in (ann, ben)}
    sessions = SimpleNamespace(own=lambda *_: known[who], profile=SimpleNamespace(identities=(ann, ben)))
    draft = Draft(Request("GET", b"/notes", host="club.example"), drafted=True)
    assert list(own_credentials(cast("Any", SimpleNamespace(sessions=sessions)), draft)) == held


def test_who_could_not_be_signed_in_holds_no_credentials() -> None:
    """A login's own form is sent as a visitor, before anybody is signed in."""

    def values(_host: str) -> dict[Point, bytes]:
        raise LoginFailed("identity 'ada': the variable 'token' has no value yet")

    session = SimpleNamespace(identity="ada", values=values)
    sessions = SimpleNamespace(profile=SimpleNamespace(identities=["ada"]), own=lambda _request, _sender: session)
    draft = Draft(Request("POST", b"/login", (), host="x"), drafted=True)
    assert list(own_credentials(cast("Any", SimpleNamespace(sessions=sessions)), draft)) == []
