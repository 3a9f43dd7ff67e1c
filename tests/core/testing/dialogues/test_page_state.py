"""The state that a page's form sends back, as another identity is shown it, and what it says of forged requests."""

import re
from random import Random

import msgspec
import pytest
from tests.core.testing.driving import answer_of, credentials_of, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES

from gatecrash.core.message import Request, Response, with_header, without_header
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.probes.csrf import PROBE
from gatecrash.core.testing.verdict import Outcome, Verdict

COOKIES = {"ann": b"sessionid=3f9a0c77de114b02aa55", "ben": b"sessionid=81cc0b27f0e9d4a6b1e3"}
KNOWN = (Identity("ann"), Identity("ben"))
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
PAGE = (b"Content-Type", b"text/html")


class Depot:
    """A page whose form sends its state back. bound: it is taken in the session alone that it was shown in."""

    def __init__(self, field: str, *, bound: bool) -> None:
        self.field, self.bound = field, bound

    def __call__(self, request: Request) -> Response:
        name = next((name for name, each in COOKIES.items() if each == request.first(b"Cookie")), "")
        if not name:
            return Response(302, ((b"Location", b"/login"),))
        told = ""
        if request.method == "POST":
            state = re.search(rb"ViewState=of\+(\w+)", request.body, re.IGNORECASE)
            if state is None or (self.bound and state[1].decode() != name):
                return Response(500, (PAGE,), b"<h1>Validation of the state failed.</h1>")
            told = "<p>Saved.</p>"
        field = f'<input type="hidden" name="{self.field}" value="of {name}">'
        return Response(200, (PAGE,), f"{told}<form method=post>{field}<input name=town></form>".encode())


def sent_as(asked: TestRequest) -> Request:
    if asked.identity is None:
        return asked.request
    bare = without_header(asked.request.headers, b"Cookie")
    cookie = COOKIES.get(asked.identity)
    return msgspec.structs.replace(asked.request, headers=with_header(bare, b"Cookie", cookie) if cookie else bare)


def judged(site: Depot, known: tuple[Identity, ...]) -> Verdict:
    body = f"town=Bern&{site.field}=of+ann".encode()
    request = Request("POST", b"/bank", (FORM, (b"Cookie", COOKIES["ann"])), body, host="a")
    (check,) = plan(record(site, request), WITHOUT_NAMES, credentials_of(request), (PROBE,), identities=known)
    dialogue = check.probe.run(check.situation(Random(1)))
    try:
        asked = next(dialogue)
        while True:
            asked = dialogue.send(answer_of(site, sent_as(asked)))
    except StopIteration as end:
        return end.value


@pytest.mark.parametrize("field", ["__VIEWSTATE", "javax.faces.ViewState"])
@pytest.mark.parametrize(
    ("bound", "known", "outcome"),
    [
        (True, KNOWN, Outcome.SAFE),
        (False, KNOWN, Outcome.VULNERABLE),
        (False, KNOWN[:1], Outcome.INCONCLUSIVE),
    ],
    ids=["bound to its session", "anybody's is taken", "nobody else is known"],
)
def test_another_site_knows_the_state_that_its_own_account_is_shown(
    field: str, bound: bool, known: tuple[Identity, ...], outcome: Outcome
):
    assert judged(Depot(field, bound=bound), known).outcome is outcome
