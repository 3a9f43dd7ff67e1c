"""Who comes by a link or a code that was mailed is let in by another one."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.mailed_links import Way, way_of
from gatecrash.core.testing.profiles.profile import Step
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns
from gatecrash.core.testing.profiles.taking import take_all

JSON = ((b"Content-Type", b"application/json"),)
OLD, USED, FRESH = "1f0c66aa52d9", "8425dd815571", "c7ab09e1f4d3"


def said(method: str, target: str, answer: Any, sent: Any = None, *cookies: bytes) -> Exchange:
    body = json.dumps(sent).encode() if sent is not None else b""
    request = Request(method, target.encode(), JSON if body else (), body, "http", "garden.example", 80)
    headers = (*JSON, *((b"Set-Cookie", cookie) for cookie in cookies))
    return Exchange(request, Response(200, headers, json.dumps(answer).encode()))


def message(code: str) -> dict[str, str]:
    return {"to": "ann@garden.example", "text": f"Click http://garden.example/enter?code={code} now"}


ANN = {"email": "ann@garden.example"}
ASKED = said("POST", "/sign-in", {"ok": True}, ANN)
TOLD = said("POST", "/sign-in", {"link": f"/enter?code={USED}"}, ANN)
ENTER = Request("GET", f"/enter?code={USED}".encode(), (), b"", "http", "garden.example", 80)


def inbox(*codes: str) -> Exchange:
    return said("GET", "/mailbox?to=ann@garden.example", {"messages": [message(code) for code in codes]})


def fetched(way: Way | None, answer: Exchange) -> tuple[list[str], str]:
    """The addresses that are asked for, and what is read this time."""
    assert way is not None
    assert answer.response is not None
    steps = list(way.steps(Step(method="GET", url=ENTER.url)))
    taken = take_all([take for step in steps for take in step.take], answer.response)
    assert steps[-1].url.endswith("/enter?code=${mailed}")
    return [step.url.partition("garden.example")[2] for step in steps[:-1]], taken["mailed"]


def test_a_link_in_the_answer_is_asked_for_anew() -> None:
    answer = said("POST", "/sign-in", {"link": f"/enter?code={FRESH}"}, ANN)
    way = way_of(ENTER, [TOLD])
    assert way is not None
    assert (way.name, fetched(way, answer)[1]) == ("ann@garden.example", FRESH)


@pytest.mark.parametrize(
    ("recorded", "now"),
    [
        ((USED,), (USED, FRESH)),
        ((USED,), (FRESH, USED)),
        ((USED,), (FRESH,)),
        ((USED, OLD), (FRESH, USED, OLD)),
        ((OLD, USED), (OLD, USED, FRESH)),
    ],
    ids=["one, and another behind it", "before it", "set up anew", "the newest first", "the newest last"],
)
def test_in_a_mailbox_the_newest_is_read_and_none_that_was_used(
    recorded: tuple[str, ...], now: tuple[str, ...]
) -> None:
    addresses, code = fetched(way_of(ENTER, [ASKED, inbox(*recorded)]), inbox(*now))
    assert code == FRESH
    assert [address.endswith(("/sign-in", "/mailbox?to=ann@garden.example")) for address in addresses] == [True, True]


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ([inbox(USED)], "nobody had it mailed"),
        ([ASKED, inbox(OLD)], "it was not read there"),
        (
            [said("POST", "/sign-in", {"link": f"/enter?code={USED}"}, ANN | {"password": "x-77"})],
            "a password was sent",
        ),
        ([said("POST", "/register", {"link": f"/enter?code={USED}"}, ANN)], "an account was made"),
        ([ASKED, said("GET", "/mailbox", {"messages": [f"/enter?code={USED}"]})], "of somebody else, perhaps"),
    ],
)
def test_other_values_are_not_mailed(before: list[Exchange], why: str) -> None:
    assert way_of(ENTER, before) is None, why


VERIFY = said("POST", "/verify", {}, ANN | {"code": USED}).request


def test_nor_is_a_password_that_stands_in_an_answer() -> None:
    assert way_of(VERIFY, [ASKED, inbox(USED)]) is not None
    assert way_of(said("POST", "/verify", {}, ANN | {"password": USED}).request, [ASKED, inbox(USED)]) is None


@pytest.mark.parametrize(("enter", "last"), [(ENTER, "GET"), (VERIFY, "POST")], ids=["a link", "a code"])
def test_sessions_that_began_so_are_begun_so_again(enter: Request, last: str) -> None:
    session = b"ses=5a81cc02e9f04b7d; Path=/"
    entered = Exchange(enter, Response(302, ((b"Location", b"/plots"), (b"Set-Cookie", session))))
    mine = Request("GET", b"/plots", ((b"Cookie", session.partition(b";")[0]),), b"", "http", "garden.example", 80)
    sign_ins = SignIns()
    for each in (ASKED, inbox(USED), entered, Exchange(mine, Response(200, JSON, b"[]"))):
        sign_ins.see(each)
    assert sign_ins.profile() is None, "nobody ended it"
    sign_ins.end([address for address, _ in sign_ins.open()])
    profile = sign_ins.profile()
    assert profile is not None
    (identity,) = profile.identities
    assert identity.known == ("ann@garden.example",)
    assert [step.method for step in identity.login] == ["POST", "GET", last]
