"""The probe idor_act, driven as two tenants against bookings of its own, whose making was recorded before."""

import json
from typing import Any
from urllib.parse import parse_qsl

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, drive_as, identities, signed_in, told
from tests.core.testing.probes.bookings import JSON, OLD, Bookings
from tests.range.tenants_store import BY_TOKEN, SIGNED

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.acts import acted_on
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_act import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = [case for case in cases_of("probes") if case.file == "idor_act"]


def recording(request: Request, bookings: Bookings) -> Pages:
    """A record that shows how such bookings are made, and what is done to them."""
    making = acted_on(request).rpartition(b"/")[0] or b"/x/bookings"
    made = Request("POST", making, (JSON, *request.headers), b'{"desk": 4}', host=request.host)
    pages = Pages()
    pages.meet(record(bookings, made).exchange, visited=False)
    acted = Response(200, (JSON,), b'{"id": "7", "done": true}')
    pages.meet(record(lambda _: acted, request).exchange, visited=False)
    return pages


def driven(request: Request, bookings: Bookings) -> Run:
    """The probe's dialogue about an action."""
    baseline = record(lambda _: Response(200, (JSON,), b'{"done": true}'), request)
    known, makers = identities(request), recording(request, bookings).makers_of(request)
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known, makers=makers)
    return drive_as(check, bookings)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    assert case.expected == (told(driven(signed_in(case.request), Bookings())),)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_nothing_is_done_to_what_was_there_before(case: Case):
    bookings = Bookings()
    driven(signed_in(case.request), bookings)
    assert bookings.kept[OLD] == {"id": OLD, "desk": 4, "state": "open"}
    assert OLD not in bookings.acted


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_was_made_for_it_is_deleted_where_the_record_shows_how(case: Case):
    bookings, request = Bookings(), signed_in(case.request)
    pages = recording(request, bookings)
    there = set(bookings.kept)
    deleting = msgspec.structs.replace(request, method="DELETE", target=acted_on(request), body=b"")
    pages.meet(record(lambda _: Response(204), deleting).exchange, visited=False)
    (check,) = plan(
        record(lambda _: Response(200, (JSON,), b'{"done": true}'), request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), makers=pages.makers_of(request), renewal=pages.renewal_of(request),
    )  # fmt: skip
    assert (told(drive_as(check, bookings)),) == case.expected
    assert set(bookings.kept) == there


def test_a_finding_shows_the_others_request_and_what_it_changed():
    case = next(case for case in CASES if b"/anybodys/" in case.request.path)
    bookings = Bookings()
    verdict = driven(signed_in(case.request), bookings).verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("idor", (639,), 84)
    assert verdict.proof.test.request.first(b"Authorization").decode() == OPAQUE["ben"]
    assert "state = 'cancelled'" in verdict.proof.verified_by
    assert sum(kept["state"] == "cancelled" for kept in bookings.kept.values()) == 2


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", b"/x/bookings/7/approve", b""),
        ("POST", b"/x/bookings/cancel", b""),
        ("POST", b"/x/bookings/cancel", b'{"bookingId": 7, "deskId": 4}'),
        ("GET", b"/x/bookings/7/cancel", b""),
        ("POST", b"/x/bookings/7/cancel", b'{"title": "rain and more rain"}'),
    ],
)
def test_what_others_may_do_names_no_object_or_sends_a_text_is_left_alone(method: str, path: bytes, body: bytes):
    request = signed_in(Request(method, path, (JSON, *CASES[0].request.headers), body))
    baseline = record(lambda _: Response(200, (JSON,), b"{}"), request)
    made = recording(signed_in(CASES[0].request), Bookings()).makers_of(signed_in(CASES[0].request))
    assert made
    known = identities(request)
    assert plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known, makers=made) == []


def test_nothing_is_made_where_the_policy_leaves_out_what_makes_it():
    request = signed_in(Request("PUT", b"/x/bookings/7/cancel", (JSON, *CASES[0].request.headers), b"{}"))
    baseline = record(lambda _: Response(200, (JSON,), b"{}"), request)
    made = recording(signed_in(CASES[0].request), Bookings()).makers_of(signed_in(CASES[0].request))
    sparing = msgspec.structs.replace(DEFAULT, methods_excluded=("post",))
    for policy, planned in ((DEFAULT, 1), (sparing, 0)):
        checks = plan(baseline, policy, credentials_of(request), (PROBE,), identities=identities(request), makers=made)
        assert len(checks) == planned


def test_where_no_making_was_recorded_nothing_is_asked():
    request = signed_in(CASES[0].request)
    baseline = record(lambda _: Response(200, (JSON,), b"{}"), request)
    assert Pages().makers_of(request) == ()
    assert plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=identities(request)) == []


def test_what_is_made_but_not_read_is_not_judged():
    (case,) = [case for case in CASES if b"/unread/" in case.request.path]
    run = driven(signed_in(case.request), Bookings())
    assert (run.verdict.outcome, run.verdict.reason) == (Outcome.INCONCLUSIVE, Inconclusive.NO_CONTROL)


FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
STYLES = ("body", "query", "gone", "form-address", "form-list", "form-hidden")


class Slips:
    """Slips of two tenants, called off by their number in the body or the query, or by a form of their page. guarded:
    by their owner alone, and whom he has to do with.
    """

    def __init__(self, style: str, *, guarded: bool, also: str = "") -> None:
        self.style, self.guarded, self.also = style, guarded, also
        self.kept: dict[str, list[str]] = {"41": ["ann", "open"], "43": ["ben", "open"]}

    def __call__(self, request: Request) -> Response:
        caller = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        if not caller:
            return Response(401)
        _, kind, *more = request.path.decode().split("/")
        given = dict(parse_qsl((request.query or b"").decode() or request.body.decode()))
        if request.first(b"Content-Type") == b"application/json":
            given = {name: str(value) for name, value in json.loads(request.body or b"{}").items()}
        number = next((each for each in (*more, given.get("id", "")) if each.isdigit()), "")
        if "close" in more:
            return self._closed(caller, number)
        if request.method == "POST":
            return self._made(caller)
        return self._page(caller, number) if number or kind == "slip" else self._list(caller)

    def _closed(self, caller: str, number: str) -> Response:
        if number not in self.kept or (self.guarded and caller not in (self.also, self.kept[number][0])):
            return Response(302, ((b"Location", b"/slips"),)) if self.is_form else Response(404)
        self.kept[number][1] = "closed"
        if self.style == "gone":
            del self.kept[number]
        leads = ((b"Location", b"/slips/" + number.encode()),)
        return Response(302, leads) if self.is_form else self._told({"done": True})

    def _made(self, caller: str) -> Response:
        number = str(61 + 2 * len(self.kept))
        self.kept[number] = [caller, "open"]
        where = b"/slips" + (b"/" + number.encode() if self.style == "form-address" else b"")
        return Response(302, ((b"Location", where),)) if self.is_form else self._told({"id": number})

    def _page(self, caller: str, number: str) -> Response:
        owner, state = self.kept.get(number, ("", ""))
        if owner != caller or self.style == "form-hidden":
            return self._told({"slip": None}) if self.style == "gone" else Response(404)
        said = f'<dl><dt>State</dt><dd>{state}</dd></dl><form action="/slips/{number}/close" method="post"></form>'
        return self._html(said) if self.is_form else self._told({"id": number, "state": state})

    def _list(self, caller: str) -> Response:
        own = [number for number, (owner, _) in self.kept.items() if owner == caller]
        if self.style == "form-hidden":
            button = '<form action="/slips/close" method="post"><input type="hidden" name="id" value="{}"></form>'
            return self._html("".join(button.format(each) for each in own if self.kept[each][1] == "open"))
        if self.is_form:
            return self._html("".join(f'<li><a href="/slips/{each}">{each}</a></li>' for each in own))
        return self._told([{"id": each} for each in own])

    @property
    def is_form(self) -> bool:
        return self.style.startswith("form")

    def _html(self, said: str) -> Response:
        return Response(200, ((b"Content-Type", b"text/html"),), f"<html><body>{said}</body></html>".encode())

    def _told(self, document: object) -> Response:
        return Response(200, (JSON,), json.dumps(document).encode())


def asked_of(style: str, target: str, body: str) -> Request:
    kind = JSON if style in ("body", "gone") else FORM
    return Request("POST", target.encode(), (kind, (b"Authorization", SIGNED["ann"].encode())), body.encode(), host="a")


@pytest.mark.parametrize(("guarded", "also"), [(False, ""), (True, ""), (True, "ben"), (True, "eva")])
@pytest.mark.parametrize("style", STYLES)
def test_the_object_may_stand_in_the_body_or_the_query_and_be_made_by_a_form(style: str, guarded: bool, also: str):
    slips = Slips(style, guarded=guarded, also=also)
    closing = {
        "body": ("/slips/close", '{"id": 41}'),
        "query": ("/slip/close?id=41", ""),
        "gone": ("/slips/close", '{"id": 41}'),
        "form-hidden": ("/slips/close", "id=41"),
    }.get(style, ("/slips/41/close", ""))
    request, pages = asked_of(style, *closing), Pages()
    making = asked_of(
        style, "/slips/new" if slips.is_form else "/slips", "{}" if style in ("body", "gone") else "text=a+key"
    )
    pages.meet(record(slips, making).exchange, visited=False)
    reading = b"/slip?id=41" if style == "query" else b"/slips"
    asked = Request("GET", reading, making.headers[1:], host="a")
    pages.meet(record(slips, asked).exchange, visited=False)
    baseline, known = record(slips, request), (*identities(request), Identity("eva"))
    slips.kept["41"] = ["ann", "open"]
    (check,) = plan(
        baseline, DEFAULT, credentials_of(request), (PROBE,),
        identities=known, pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    verdict = drive_as(check, slips).verdict
    assert verdict.outcome is (Outcome.SAFE if guarded else Outcome.VULNERABLE)
    assert [slips.kept[each][1] for each in ("41", "43")] == ["open", "open"], "what was there before is left alone"


class OfATeam(Bookings):
    """Bookings that are cancelled at their own number, and read below the team that they belong to. guarded: by their owners alone."""

    def __init__(self, *, guarded: bool) -> None:
        super().__init__()
        self.guarded = guarded

    def __call__(self, request: Request) -> Response:
        path = request.path.removeprefix(b"/teams/4")
        is_below = path != request.path
        if not is_below and request.method != "POST":
            return Response(404)
        place = b"/owners-only" if self.guarded or is_below else b"/anybodys"
        return super().__call__(msgspec.structs.replace(request, target=place + path))


@pytest.mark.parametrize(("guarded", "outcome"), [(False, Outcome.VULNERABLE), (True, Outcome.SAFE)])
def test_what_is_done_at_its_own_number_is_read_below_its_team(guarded: bool, outcome: Outcome):
    bookings = OfATeam(guarded=guarded)
    headers = (JSON, *signed_in(CASES[0].request).headers)
    made = Request("POST", b"/teams/4/bookings", headers, b'{"desk": 4}', host="teams.example")
    pages = Pages()
    pages.meet(record(bookings, made).exchange, visited=False)
    number = max(bookings.kept, key=int).encode()
    read = Request("GET", b"/teams/4/bookings/" + number, headers, host=made.host)
    pages.meet(record(bookings, read).exchange, visited=False)
    request = Request("POST", b"/bookings/" + number + b"/cancel", headers, b"{}", host=made.host)
    baseline = record(lambda _: Response(200, (JSON,), b'{"done": true}'), request)
    known, makers = identities(request), pages.makers_of(request)
    beside = pages.beside(request)
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known, makers=makers, pages=beside)
    assert drive_as(check, bookings).verdict.outcome is outcome


@pytest.mark.parametrize(("guarded", "outcome"), [(False, Outcome.VULNERABLE), (True, Outcome.SAFE)])
def test_several_may_be_named_in_the_body_and_are_read_where_such_ones_are_made(guarded: bool, outcome: Outcome):
    kept: dict[str, tuple[str, str]] = {"7000011": ("ann", "booked"), "7000012": ("ben", "booked")}

    def depot(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        if not caller:
            return Response(401)
        number = request.path.decode().rpartition("/")[2]
        if request.path == b"/v1/parcels":
            number = str(max(map(int, kept)) + 1)
            kept[number] = (caller, "booked")
        elif request.path == b"/v1/batch/cancel":
            asked = json.loads(request.body)["ids"]
            own = [each for each in asked if each in kept and (kept[each][0] == caller or not guarded)]
            kept.update({each: (kept[each][0], "cancelled") for each in own})
            return Response(200, (JSON,), json.dumps({"cancelled": own}).encode())
        if kept.get(number, ("",))[0] != caller:
            return Response(404)
        return Response(200, (JSON,), json.dumps({"number": number, "status": kept[number][1]}).encode())

    headers = (JSON, (b"Authorization", OPAQUE["ann"].encode()))
    pages = Pages()
    made = Request("POST", b"/v1/parcels", headers, b'{"to": "Aarhus"}', host="depot.example")
    pages.meet(record(depot, made).exchange, visited=False)
    request = Request("POST", b"/v1/batch/cancel", headers, b'{"ids": ["7000013"]}', host=made.host)
    baseline = record(lambda _: Response(200, (JSON,), b'{"cancelled": ["7000013"]}'), request)
    known, makers = identities(request), pages.makers_of(request)
    beside = pages.beside(request)
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known, makers=makers, pages=beside)
    assert drive_as(check, depot).verdict.outcome is outcome
    assert [kept[each][1] for each in ("7000011", "7000012")] == ["booked", "booked"], (
        "what was there before is left alone"
    )


@pytest.mark.parametrize("guarded", [False, True])
@pytest.mark.parametrize(("named", "asked"), [(2, True), (8, False)])
def test_an_offer_to_somebody_else_is_accepted_by_another(guarded: bool, named: int, asked: bool):
    gifts: dict[int, dict[str, Any]] = {}

    def shop(request: Request) -> Response:
        caller = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        if not caller:
            return Response(401)
        _, _, number, *_ = (*request.path.decode().split("/"), "", "")
        if request.method == "GET":
            sent = [each for each in gifts.values() if caller == "ann"]
            return Response(404) if number else Response(200, (JSON,), json.dumps({"sent": sent, "got": []}).encode())
        if not number:
            gift = {
                "id": 400 + len(gifts),
                "recipient_id": json.loads(request.body)["recipient_id"],
                "state": "offered",
            }
            gifts[gift["id"]] = gift
            return Response(201, (JSON,), json.dumps({"id": gift["id"]}).encode())
        if guarded and caller != "ann":
            return Response(404)
        gifts[int(number)] |= {"state": "accepted"}
        return Response(200, (JSON,), b'{"done": true}')

    token, pages = (b"Authorization", OPAQUE["ann"].encode()), Pages()
    body = json.dumps({"recipient_id": named}).encode()
    accepting = Request("POST", b"/gifts/400/accept", (token,), host="a")
    for each in (Request("POST", b"/gifts", (JSON, token), body, host="a"), accepting):
        pages.meet(record(shop, each).exchange, visited=False)
    own, other = Identity("ann", 0, ("7",)), Identity("ben", 0, ("8",))
    (check,) = plan(
        record(lambda _: Response(200, (JSON,), b'{"done": true}'), accepting), DEFAULT, credentials_of(accepting),
        (PROBE,), identities=(own, other), makers=pages.makers_of(accepting),
    )  # fmt: skip
    run = drive_as(check, shop)
    assert bool(run.sent) is asked
    assert (run.verdict.outcome is Outcome.VULNERABLE) is (asked and not guarded)
