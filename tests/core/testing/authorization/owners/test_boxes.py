"""What lies in somebody's box, and in nobody else's, is his."""

import pytest
from tests.core.testing.driving import Application, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, drive_as, identities
from tests.range.place import page

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.owners.boxes import is_box_of
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes import idor
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

BOXES = {"ann": ("70011", "70014"), "ben": ("70020", "70022"), "ida": ("70030",)}


def bank(box: str, kind: str, *, common: str = "", refuses: bool = False) -> Application:
    """A box for each, which leads to `/<kind>/70011`. common: what lies in all of them. refuses: whether others may not read it."""

    def application(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        if caller not in BOXES:
            return Response(401)
        own = (*BOXES[caller], *([common] if common else []))
        if request.path == f"/{box}".encode():
            return page("".join(f'<li><a href="/{kind}/{each}">Subject {each}</a></li>' for each in dict.fromkeys(own)))
        asked = request.path.decode().rpartition("/")[2]
        known = own if refuses else [each for box in BOXES.values() for each in box]
        return page(f"<h1>Subject {asked}</h1><p>Words {asked}</p>") if asked in known else Response(404)

    return application


@pytest.mark.parametrize(
    ("box", "kind", "how", "outcome"),
    [
        ("inbox", "letter", {}, Outcome.VULNERABLE),
        ("mailbox", "message", {}, Outcome.VULNERABLE),
        ("inbox", "letter", {"refuses": True}, Outcome.SAFE),
        ("inbox", "letter", {"common": "70011"}, Outcome.SAFE),
        # What happened to a thread that he wrote in, which all may read.
        ("inbox", "thread", {}, Outcome.SAFE),
        ("favourites", "letter", {}, Outcome.SAFE),
    ],
    ids=["a letter", "a message", "refused to others", "sent to all", "what all may read", "no box"],
)
def test_what_was_sent_to_one_alone_is_nobody_elses(box: str, kind: str, how: dict, outcome: Outcome) -> None:
    application, pages = bank(box, kind, **how), Pages()
    headers = ((b"Authorization", OPAQUE["ann"].encode()),)
    request = Request("GET", f"/{kind}/70011".encode(), headers)
    pages.meet(record(application, Request("GET", f"/{box}".encode(), headers)).exchange, visited=False)
    (check,) = plan(
        record(application, request), DEFAULT, credentials_of(request), (idor.PROBE,),
        identities=identities(request), pages=pages.beside(request),
    )  # fmt: skip
    assert drive_as(check, application).verdict.outcome is outcome


@pytest.mark.parametrize(
    ("path", "kind", "is_box"),
    [
        (b"/inbox", "letter", True),
        (b"/my/mailbox", "mail", True),
        (b"/inbox", "post", False),
        (b"/box", "letter", False),
    ],
)
def test_a_box_is_known_by_its_name_and_by_what_lies_in_it(path: bytes, kind: str, is_box: bool) -> None:
    assert is_box_of(Request("GET", path), kind) is is_box
