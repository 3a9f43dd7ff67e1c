"""What tests of an overwriting request leave behind is written over as it was recorded; a password too, for the one that they have set."""

import json
from collections.abc import Sequence

import pytest
from tests.node.loop import run

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.node.test.restoring import MOST_TRIED, Restoring

JSON = ((b"Content-Type", b"application/json"),)
OLD, NEW = "Tall-ship-91", "Tall-ship-92"


class Account:
    """Has a password. checks: whether a change must bring the present one."""

    def __init__(self, password: str = OLD, *, checks: bool = True) -> None:
        self.password = password
        self.checks = checks
        self.sent: list[str] = []

    async def send(self, asked: TestRequest) -> Answer:
        body = json.loads(asked.request.body)
        self.sent.append(asked.purpose)
        is_done = not self.checks or body["old"] == self.password
        if is_done and asked.identity is None:
            self.password = body["new"]
        return Answer(Exchange(asked.request, Response(204 if is_done else 403)))


def changing(old: str, new: str, method: str = "PUT") -> Request:
    body = json.dumps({"old": old, "new": new}).encode()
    return Request(method, b"/me/password", JSON, body, host="a.example")


async def behind(account: Account, sent: Sequence[Request], recorded: Request, status: int = 204) -> None:
    baseline = Baseline("b", Exchange(recorded, Response(status)))
    restoring = Restoring(account.send)
    restoring.begin(baseline, lambda: True)
    for each in sent:
        await restoring.send(TestRequest(each))
    await restoring.finish()


@pytest.mark.parametrize("checks", [False, True])
@pytest.mark.parametrize("method", ["PUT", "POST"])
@run
async def test_a_password_is_what_was_recorded(method: str, *, checks: bool) -> None:
    account = Account(checks=checks)
    tests = [changing(OLD, NEW + mark, method) for mark in ("'\"", "{{7*7}}", "xq")]
    await behind(account, tests, changing(OLD, NEW, method))
    assert account.password == NEW
    assert account.sent.count("control") == (2 if checks else 1)


@run
async def test_what_nobody_has_changed_is_asked_for_once() -> None:
    account = Account("Another-one-7")
    await behind(account, [changing(OLD, NEW + "'")], changing(OLD, NEW))
    assert account.password == "Another-one-7"
    assert account.sent.count("control") == 1


@run
async def test_no_more_wrong_passwords_are_sent_than_an_account_survives() -> None:
    account = Account(checks=False)
    restoring, baseline = Restoring(account.send), Baseline("b", Exchange(changing(OLD, NEW), Response(204)))
    restoring.begin(baseline, lambda: True)
    for count in range(9):
        await restoring.send(TestRequest(changing(OLD, f"{NEW}{count}")))
    account.checks, account.password = True, "set-meanwhile-3"
    await restoring.finish()
    assert account.sent.count("control") == 1 + MOST_TRIED


@run
async def test_what_is_set_as_somebody_else_is_not_its_senders() -> None:
    account = Account(checks=False)
    restoring, baseline = Restoring(account.send), Baseline("b", Exchange(changing(OLD, NEW), Response(204)))
    restoring.begin(baseline, lambda: True)
    await restoring.send(TestRequest(changing(OLD, "of-another-1"), identity="ben"))
    account.checks = True
    await restoring.finish()
    assert account.password == NEW


@pytest.mark.parametrize(
    ("method", "path", "status", "sent"),
    [
        ("PUT", b"/notes/7", 200, 1),
        ("PUT", b"/notes/7", 404, 0),
        ("POST", b"/notes", 201, 0),
        ("GET", b"/notes", 200, 0),
    ],
)
@run
async def test_what_overwrites_is_sent_once_more_where_it_was_taken(
    method: str, path: bytes, status: int, sent: int
) -> None:
    account = Account(checks=False)
    body = b'{"old": "a", "new": "b"}'
    await behind(account, [], Request(method, path, JSON, body, host="a.example"), status)
    assert len(account.sent) == sent


@pytest.mark.parametrize(
    ("path", "body", "sent"),
    [
        (b"/pass", b'{"new_pass": "a"}', 1),
        (b"/password/reset", b'{"email": "a@b.example", "new_password": "a"}', 1),
        (b"/fans/renew", b'{"username": "ann", "newPassword": "a"}', 1),
        (b"/members", b'{"username": "ann", "password": "a"}', 0),
    ],
)
@run
async def test_a_password_is_set_back_also_where_the_old_one_is_not_asked_for(
    path: bytes, body: bytes, sent: int
) -> None:
    asked: list[Request] = []

    async def send(request: TestRequest) -> Answer:
        asked.append(request.request)
        return Answer(Exchange(request.request, Response(200)))

    recorded = Request("POST", path, JSON, body, host="a.example")
    restoring = Restoring(send)
    restoring.begin(Baseline("b", Exchange(recorded, Response(200))), lambda: False)
    await restoring.finish()
    assert asked == [recorded] * sent


@run
async def test_where_nothing_was_begun_nothing_is_sent() -> None:
    account = Account()
    await Restoring(account.send).finish()
    assert account.sent == []
