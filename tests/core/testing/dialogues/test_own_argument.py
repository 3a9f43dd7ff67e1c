"""Functions that are called with a name and a password among their arguments ask who comes, by what stands behind the name."""

from collections.abc import Callable
from random import Random

import pytest
from tests.core.testing.driving import answered, credentials_of

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.own_argument import (
    lets_in_by_a_password,
    lets_in_by_a_refresh_token,
    lets_in_by_an_argument,
)
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

COOKIE = (b"Cookie", b"sid=3f9a0c77de114b02aa553f9a0c77")
XML = (
    b"<methodCall><methodName>blog.getProfile</methodName><params><param><value><int>1</int></value></param>"
    b"<param><value><string>%s</string></value></param><param><value><string>%s</string></value></param></params></methodCall>"
)
JSON = b'{"jsonrpc": "2.0", "method": "blog.getProfile", "params": [1, "%s", "%s"], "id": 4}'
PROFILE = b"<methodResponse><params><param><value><string>Ann Lake</string></value></param></params></methodResponse>"
REFUSED = b"<methodResponse><fault><value><string>%s</string></value></fault></methodResponse>"


def asked(body: bytes, application: Callable[[bytes], bytes]) -> tuple[bool, list[bytes]]:
    sent: list[bytes] = []

    def answers(request: Request) -> Response:
        sent.append(request.body)
        return Response(200, ((b"Content-Type", b"text/xml"),), application(request.body))

    kind = b"application/json" if body.startswith(b"{") else b"text/xml"
    request = Request("POST", b"/rpc.php", ((b"Content-Type", kind), COOKIE), body)
    good = Exchange(request, answers(request))
    sent.clear()
    users = (Identity("recorded 1", known=("ann",)), Identity("recorded 2", known=("ben",)))
    situation = situation_of(good, *users)
    return answered(lets_in_by_an_argument(Access(situation, [good]), request), answers), sent


def is_let_in(request: Request, answers: Callable[[Request], Response]) -> bool:
    """Whether a refresh token in the body lets the request in, at an application that answers so."""
    good = Exchange(request, answers(request))
    case = Access(situation_of(good), [good])
    return answered(lets_in_by_a_refresh_token(case, request), answers)


def situation_of(good: Exchange, *identities: Identity) -> Situation:
    return Situation(
        baseline=Baseline("bl_1", good),
        point=Point(),
        value=b"",
        credentials=credentials_of(good.request),
        policy=DEFAULT,
        random=Random(1),
        identities=identities,
    )


@pytest.mark.parametrize("body", [XML, JSON], ids=["XML", "JSON"])
@pytest.mark.parametrize("said", [b"Incorrect username or password.", b"Login failed", b"403 Forbidden: access denied"])
def test_another_password_is_refused(body, said):
    found, sent = asked(body % (b"ann", b"river"), lambda got: PROFILE if b"river" in got else REFUSED % said)
    assert found
    assert len(sent) == 1
    assert b"ann" in sent[0]


@pytest.mark.parametrize(
    ("body", "application"),
    [
        (XML % (b"ann", b"river"), lambda _: PROFILE),  # whatever stands there
        (XML % (b"ann", b"river"), lambda got: PROFILE if b"river" in got else REFUSED % b"No such place"),
        (XML % (b"cid", b"river"), lambda got: PROFILE if b"river" in got else REFUSED % b"Login failed"),
        (XML % (b"river", b"ann"), lambda got: PROFILE if b"river" in got else REFUSED % b"Login failed"),
        (b'{"name": "ann", "word": "river"}', lambda got: PROFILE if b"river" in got else REFUSED % b"Login failed"),
    ],
    ids=["not looked at", "another refusal", "another's name", "nothing behind the name", "no call"],
)
def test_all_else_says_nothing(body, application):
    assert not asked(body, application)[0]


@pytest.mark.parametrize(
    ("name", "compared", "found"),
    [
        ("refresh_token", True, True),
        ("renew_token", True, True),
        ("refresh_token", False, False),
        ("order", True, False),
    ],
)
def test_a_refresh_token_in_the_body_lets_in_where_another_is_refused(name: str, compared: bool, found: bool):
    token = "9f0c4d2277ab10ce8d3e51c6a4f7b920"
    request = Request(
        "POST",
        b"/renew",
        ((b"Content-Type", b"application/json"), COOKIE),
        b'{"%s": "%s"}' % (name.encode(), token.encode()),
    )

    def answers(got: Request) -> Response:
        is_taken = token.encode() in got.body or not compared
        told = b'{"token": "1d0e9b1c7a3f48265d0e9b1c7a3f4826"}' if is_taken else b'{"error": "unknown"}'
        return Response(200 if is_taken else 401, ((b"Content-Type", b"application/json"),), told)

    assert is_let_in(request, answers) is found


@pytest.mark.parametrize(
    ("given", "compared", "found"),
    [
        ("erneuerung", True, True),
        ("erneuerung", False, False),
        ("vorgang", True, False),
    ],
    ids=["another in its place", "whatever stands there", "another elsewhere"],
)
def test_so_does_what_the_answer_gives_another_of(given: str, compared: bool, found: bool):
    token = b"9f0c4d2277ab10ce8d3e51c6a4f7b920"
    kind = ((b"Content-Type", b"application/json"),)
    request = Request("POST", b"/sitzung", (*kind, COOKIE), b'{"data": {"erneuerung": "%s"}}' % token)

    def answers(got: Request) -> Response:
        if compared and token not in got.body:
            return Response(401, kind, b'{"fehler": "unbekannt"}')
        return Response(200, kind, b'{"data": {"%s": "1d0e9b1c7a3f48265d0e9b1c7a3f4826"}}' % given.encode())

    assert is_let_in(request, answers) is found


@pytest.mark.parametrize(
    ("body", "compared", "found"),
    [
        (b"login=ann&passwort=river-7", True, True),
        (b"login=ann&passwort=river-7", False, False),
        (b"login=ann&passwort=river-7&level=7", True, False),
        (b"login=ann&motto=river-7", True, False),
    ],
    ids=["a login", "any password does it", "it sets more", "no password"],
)
def test_a_name_and_a_password_let_in_where_another_password_is_refused(body: bytes, compared: bool, found: bool):
    request = Request("POST", b"/enter", ((b"Content-Type", b"application/x-www-form-urlencoded"), COOKIE), body)

    def answers(got: Request) -> Response:
        is_taken = b"river-7" in got.body or not compared
        return Response(200 if is_taken else 401, ((b"Content-Type", b"application/json"),), b'{"ok": true}')

    good = Exchange(request, answers(request))
    assert answered(lets_in_by_a_password(Access(situation_of(good), [good]), request), answers) is found
