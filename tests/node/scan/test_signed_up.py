"""Accounts that a site's own forms make while it is read: what let them in is kept, and nothing else."""

import json
from urllib.parse import parse_qs

from tests.node.loop import run

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.signed_up import SignedUp

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


def form(path: str, body: bytes) -> Draft:
    headers = ((b"Host", b"shop.example"), FORM, (b"Content-Length", str(len(body)).encode()))
    return Draft(request=Request("POST", path.encode(), headers, body, host="shop.example"), drafted=True)


REGISTER = form("/register", b"email=a%40shop.example&password=Example-1")
LOGIN = form("/login", b"email=a%40shop.example&password=Example-1")
SEARCH = form("/say", b"text=tea")


class Shop:
    """Lets in by a cookie whoever registered. closed: nobody registers."""

    def __init__(self, *, closed: bool = False) -> None:
        self.members: dict[str, str] = {}
        self.asked: list[str] = []
        self._closed = closed

    async def send(self, request: Request) -> Answer:
        path = request.path.decode()
        self.asked.append(path)
        said = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        status, headers = 200, [(b"Content-Type", b"application/json")]
        if path == "/register":
            status = 403 if self._closed else 201
            if not self._closed:
                self.members[said["email"]] = said["password"]
        elif path == "/login":
            status = 200 if self.members.get(said["email"]) == said["password"] else 401
            headers += [(b"Set-Cookie", b"sid=%040d; Path=/" % len(self.asked))] if status == 200 else []
        return Answer(Exchange(request, Response(status, tuple(headers), json.dumps({}).encode())))


@run
async def test_two_are_made_and_each_begins_with_what_let_him_in() -> None:
    shop, signing = Shop(), SignedUp([SEARCH, REGISTER, LOGIN])
    await signing.run(shop.send)
    assert signing.profile is not None
    assert len(signing.profile.identities) == 2
    logins = [each for each in signing.logins if each.request.path == b"/login"]
    assert len({each.request.body for each in logins}) == 2
    assert all(each.response is not None and each.response.status < 400 for each in signing.logins)
    assert "/say" not in shop.asked


@run
async def test_nothing_is_sent_where_no_form_lets_anybody_in() -> None:
    shop, signing = Shop(), SignedUp([SEARCH])
    await signing.run(shop.send)
    assert (signing.profile, signing.logins, signing.trouble, shop.asked) == (None, [], "", [])


@run
async def test_why_nobody_was_let_in_is_told_and_what_was_refused_is_not_kept() -> None:
    shop, signing = Shop(closed=True), SignedUp([REGISTER, LOGIN])
    await signing.run(shop.send)
    assert signing.profile is None
    assert signing.trouble
    assert signing.logins == []
