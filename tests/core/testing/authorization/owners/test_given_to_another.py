"""What both callers are told and nobody else is, and what of it follows the identifier; driven through the probe idor."""

import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, identities
from tests.range.place import page
from tests.range.tenants_store import BY_TOKEN, asked

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.verdict import Outcome

PEOPLE = {
    "ann": {"user_id": 7, "email": "ann@x.example", "phone": "+31 7"},
    "ben": {"user_id": 8, "email": "ben@x.example", "phone": "+31 8"},
}


@pytest.mark.parametrize(("own", "outcome"), [(True, Outcome.SAFE), (False, Outcome.VULNERABLE)])
def test_a_long_form_that_shows_each_his_own_is_nobody_elses(own, outcome):
    """It differs in a name or two, and an address that is not there shows something else."""
    choices = "".join(f"<option>what stands at {number}</option>" for number in range(90))

    def application(request: Request) -> Response:
        name = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        if not name:
            return Response(401)
        if request.path != b"/forms/77":
            return Response(404)
        shown = PEOPLE[name if own else "ann"]
        fields = "".join(
            f'<label>{label} <input name="{label}" value="{value}"></label>' for label, value in shown.items()
        )
        page = f"<html><body><form>{fields}<select>{choices}</select></form></body></html>"
        return Response(200, ((b"Content-Type", b"text/html"),), page.encode())

    request = asked("/forms/77", name="ann")("")
    known = (Identity("ann", 0, known=("ann@x.example", "7")), *identities(request)[1:])
    (check,) = plan(record(application, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    assert drive_as(check, application).verdict.outcome is outcome


SETTINGS = {"ann": {"phone": "+49 30 5551 2771", "iban": "DE44 5001 0517 5407 3249 30"}}
SETTINGS["ben"] = {"phone": "+49 40 7771 9084", "iban": "DE12 3701 0050 9988 1204 77"}


def settings(request: Request) -> Response:
    """A profile shows each caller his own, and a form below it one value of that, both in a long navigation; nothing else is there."""
    name = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
    told = request.path.partition(b"/profile")[2].decode().strip("/")
    if name not in SETTINGS or told not in ("", *SETTINGS[name]):
        return page("<h1>Not here</h1>", 404 if name else 401)
    links = "".join(f'<a href="/{area}">area {area}</a> ' for area in range(13))
    shown = "".join(f"<p>{key}: {value}</p>" for key, value in SETTINGS[name].items())
    form = f"<h1>{told}</h1><form><label>{told}:</label><input name={told}><button>Save</button></form>"
    return page(f"<nav>{links}</nav><p>Signed in as {name}</p>{form if told else shown}")


def test_a_form_below_ones_own_page_is_each_callers_own_whatever_the_frame_around_it():
    request = asked("/profile/iban")("")
    known = identities(request)
    (check,) = plan(record(settings, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    assert drive_as(check, settings).verdict.outcome is Outcome.SAFE
