"""Objects that are asked for, changed and deleted by functions and mutations at one address, whose list says whose they are."""

import json
import re
from random import Random
from urllib.parse import parse_qsl

import msgspec
import pytest
from tests.core.testing.driving import Application, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, drive_as, identities
from tests.range.place import page

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.owners.listed_elsewhere import linked_as
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import ANYBODY
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes import idor, idor_act, idor_delete, idor_write
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")
PROBES = (idor.PROBE, idor_act.PROBE, idor_delete.PROBE, idor_write.PROBE)
FIELDS = {"list": "crates", "get": "crate", "create": "createCrate", "update": "updateCrate", "cancel": "cancelCrate", "remove": "removeCrate"}  # fmt: skip
CHANGING = ("create", "update", "cancel", "remove")
STYLES = ("path", "query", "call", "graphql")


class Crates:
    """Crates of several people, called for in one of four styles. open_: whether others reach them; feed: whether the
    list shows one of somebody else's, too.
    """

    def __init__(self, style: str, *, open_: bool, feed: bool = False) -> None:
        self.style, self.open, self.feed = style, open_, feed
        self.random = Random(3)
        self.kept: dict[int, dict] = {}
        self.owners: dict[int, str] = {}
        for name in ("ann", "ben", "ida"):
            self._make(name, "Glass")

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        name, given = self._called(request)
        if not caller:
            return self._told({"error": "not signed in"}, 401)
        told = self._done(caller, name, given) if name in FIELDS else None
        return self._told({"error": "not found"}, 404) if told is None else self._told({"data": {name: told}}, 200)

    def request(self, name: str, **given: object) -> Request:
        """A call in the name of the first of them."""
        target, body = "/rpc", dict(given)
        if self.style == "path":
            target = f"/rpc/crate.{name}"
        elif self.style == "query":
            target = f"/api?method=crate.{name}"
        elif self.style == "call":
            body = {"jsonrpc": "2.0", "method": f"crate.{name}", "params": given, "id": self.random.randint(1, 99)}
        else:
            typed = ", ".join(f"${each}: String" for each in given)
            named = ", ".join(f"{each}: ${each}" for each in given)
            field = f"{FIELDS[name]}({named})" if given else FIELDS[name]
            kind = "mutation" if name in CHANGING else "query"
            body = {"query": f"{kind} ({typed}) {{ {field} {{ id }} }}" if given else f"{{ {field} {{ id }} }}", "variables": given}  # fmt: skip
        headers = (JSON, (b"Authorization", OPAQUE["ann"].encode()))
        return Request("POST", target.encode(), headers, json.dumps(body).encode(), host="crates.example")

    def first(self) -> int:
        return next(number for number, owner in self.owners.items() if owner == "ann")

    def _called(self, request: Request) -> tuple[str, dict]:
        body = json.loads(request.body or b"{}")
        if self.style == "graphql":
            field = re.findall(r"\{ (\w+)", body.get("query", ""))
            name = next((name for name, each in FIELDS.items() if [each] == field[:1]), "")
            return name, body.get("variables") or {}
        if self.style == "call":
            return str(body.get("method")).removeprefix("crate."), body.get("params") or {}
        return request.target.decode().rpartition("crate.")[2], body

    def _done(self, caller: str, name: str, given: dict) -> object:
        if name == "list":
            return [
                {"id": n, "text": kept["text"]}
                for n, kept in self.kept.items()
                if self.owners[n] == caller or self._shown(n)
            ]
        if name == "create":
            return self._make(caller, str(given.get("text")))
        number = int(given["id"]) if str(given.get("id")).isdigit() else 0
        if number not in self.kept or (self.owners[number] != caller and not self.open):
            return None
        if name == "remove":
            return self.kept.pop(number)
        if name == "cancel":
            self.kept[number]["state"] = "cancelled"
        if name == "update":
            self.kept[number]["text"] = str(given["text"])
        return self.kept[number]

    def _shown(self, number: int) -> bool:
        return self.feed and self.owners[number] == "ida"

    def _make(self, owner: str, text: str) -> dict:
        number = self.random.randint(10**3, 10**4)
        self.owners[number] = owner
        self.kept[number] = {"id": number, "text": text, "state": "open", "shelf": number % 7}
        return self.kept[number]

    def _told(self, document: object, status: int) -> Response:
        return Response(status, (JSON,), json.dumps(document).encode())


def claims(crates: Crates, name: str, *, reads_alone: bool = False) -> set[str]:
    """What the probes claim of one of the functions, when all of them were recorded."""
    pages = Pages()
    old, made = crates.first(), record(crates, crates.request("create", text="Plates"))
    number = json.loads(made.response.body)["data"]["create"]["id"] if made.response else 0
    for each in (made, *(record(crates, crates.request("get", id=each)) for each in (old, number))):
        pages.meet(each.exchange, visited=False)
    pages.meet(record(crates, crates.request("list")).exchange, visited=False)
    given = (
        {"id": old, "text": crates.kept[old]["text"]} if name == "update" else {"id": old if name == "get" else number}
    )
    request = crates.request(name, **given)
    baseline = record(crates, request)
    pages.meet(baseline.exchange, visited=False)
    if name == "remove":
        crates.kept.pop(number, None)
    checks = plan(
        baseline, THOROUGH, credentials_of(request), PROBES[:1] if reads_alone else PROBES,
        identities=identities(request), pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    verdicts = [drive_as(check, crates).verdict for check in checks]
    return {verdict.type for verdict in verdicts if verdict.outcome is Outcome.VULNERABLE}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["get", "update", "cancel", "remove"])
def test_what_others_reach_by_its_identifier_is_claimed(style: str, name: str):
    assert claims(Crates(style, open_=True), name) == {"idor"}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["get", "update", "cancel", "remove"])
def test_what_is_refused_to_others_is_not(style: str, name: str):
    assert claims(Crates(style, open_=False), name) == set()


@pytest.mark.parametrize("style", STYLES)
def test_a_list_that_shows_both_the_same_entry_says_nothing_of_whose_it_is(style: str):
    """A feed: each sees his own beside what is everybody's, and whoever has a number may read what it is of."""
    assert claims(Crates(style, open_=True, feed=True), "get", reads_alone=True) == set()


def beds(*, common: bool) -> Application:
    """A site of forms: a page of beds that links to them, below each a page to change it, which is open to
    others. common: whether both are shown all beds.
    """

    def application(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        if not caller:
            return Response(302, ((b"Location", b"/login"),))
        own = {"ann": ("41", "43"), "ben": ("42", "44")}.get(caller, ())
        seen = ("41", "42", "43", "44") if common else own
        if request.path == b"/beds":
            return page("".join(f"<p><a href='/beds/{each}'>Bed</a></p>" for each in seen))
        if request.path in (b"/beds/41/edit", b"/beds/43/edit"):
            number = request.path.split(b"/")[2].decode()
            return page(
                f"<h1>Change it</h1><p>Beans of {number}</p><p>Key under the pot</p><p>Row {number} by the gate</p>"
            )
        return page("<h1>Nothing here</h1>", 404)

    return application


@pytest.mark.parametrize(("common", "claimed"), [(False, {"idor"}), (True, set())])
def test_a_list_that_links_to_the_object_speaks_of_what_stands_below_it(common: bool, claimed: set[str]):
    application, headers = beds(common=common), ((b"Authorization", OPAQUE["ann"].encode()),)
    request = Request("GET", b"/beds/41/edit", headers)
    baseline = record(application, request)
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (idor.PROBE,), identities=identities(request))
    verdict = drive_as(check, application).verdict
    assert {verdict.type for _ in "." if verdict.outcome is Outcome.VULNERABLE} == claimed


@pytest.mark.parametrize(
    ("target", "address"),
    [
        (b"/beds/41/edit", b"/beds/41"), (b"/beds/41:lend", b"/beds/41"), (b"/gardens/3/beds/41/edit?view=full", b"/gardens/3/beds/41"),
        *((each, each) for each in (b"/beds/41", b"/Beds(41)/Rows", b"/print?bed_id=41")),
    ],
)  # fmt: skip
def test_a_page_links_to_an_object_and_not_to_what_is_done_to_it(target: bytes, address: bytes):
    request = Request("GET", target)
    named = [each for each in named_objects(request) if each.sure]
    assert linked_as(request, named[-1]) == address


def shelves(kind: str) -> Application:
    """Things of two people at `/<kind>s`, each of which the other may read at `/<kind>?id=…`."""

    def application(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        things = {"ann": ("70011", "70014"), "ben": ("70020", "70022")}
        if not caller:
            return Response(401)
        if request.path == f"/{many(kind)}".encode():
            told: object = [{"id": each, "title": f"Tea {each}"} for each in things.get(caller, ())]
        else:
            asked = (request.query or b"").decode().removeprefix("id=")
            told = next(
                ({"id": asked, "title": f"Tea {asked}", "level": 3} for each in things.values() if asked in each), None
            )
        return Response(200 if told is not None else 404, (JSON,), json.dumps(told).encode())

    return application


def claimed_of_one(application: Application, kind: str, *lists: str, rank: int = 10) -> set[str]:
    """What is claimed of the first one's thing, with these lists in the record. rank: which nobody is above."""
    headers, pages = ((b"Authorization", OPAQUE["ann"].encode()),), Pages()
    request = Request("GET", f"/{kind}?id=70011".encode(), headers)
    for each in lists:
        pages.meet(record(application, Request("GET", f"/{each}".encode(), headers)).exchange, visited=False)
    known = tuple(msgspec.structs.replace(each, rank=min(each.rank, rank)) for each in identities(request))
    around, baseline = pages.beside(request), record(application, request)
    checks = plan(baseline, DEFAULT, credentials_of(request), (idor.PROBE,), identities=known, pages=around)
    verdicts = [drive_as(check, application).verdict for check in checks]
    return {verdict.type for verdict in verdicts if verdict.outcome is Outcome.VULNERABLE}


@pytest.mark.parametrize(("kind", "claimed"), [("proposal", {"idor"}), ("course", set()), ("event", set())])
def test_a_list_of_what_people_join_or_read_may_be_a_choice_for_each(kind: str, claimed: set[str]):
    assert claimed_of_one(shelves(kind), kind, many(kind)) == claimed


@pytest.mark.parametrize(
    ("of_all", "rank", "claimed"),
    [("admin/proposals", ANYBODY, {"idor"}), ("admin/proposals", 10, set()), ("latest/proposals", ANYBODY, set())],
)
def test_a_list_for_those_who_manage_which_anybody_is_shown_says_nothing(of_all: str, rank: int, claimed: set[str]):
    def application(request: Request) -> Response:
        if request.path == f"/{of_all}".encode() and request.first(b"Authorization"):
            return Response(200, (JSON,), json.dumps([{"id": each} for each in ("70011", "70014", "70020")]).encode())
        return shelves("proposal")(request)

    assert claimed_of_one(application, "proposal", "proposals", of_all, rank=rank) == claimed


def many(kind: str) -> str:
    return kind[:-1] + "ies" if kind.endswith("y") else kind + "s"


def at_the_list(request: Request, kind: str, *, shared: bool) -> tuple[str, ...] | None:
    """The numbers listed at `/<kind>s` to who asks, nothing for visitors; None where the list is not asked for."""
    token = (request.first(b"Authorization") or b"").decode()
    caller = next((name for name, each in OPAQUE.items() if each == token), "")
    if caller and request.path != f"/{many(kind)}".encode():
        return None
    own = {"ann": ("41",), "ben": ("43",)}
    return ("41", "43") if caller and shared else own.get(caller, ())


def printed(kind: str, *, html: bool, shared: bool) -> Application:
    """Things listed at `/<kind>s`, with links to `/<kind>s/41` or by number, and printed for whoever asks at `/print?<kind>=41` or so."""

    def application(request: Request) -> Response:
        listed = at_the_list(request, kind, shared=shared)
        if listed == ():
            return Response(401)
        if listed and html:
            return page("".join(f'<li><a href="/{many(kind)}/{each}">A thing</a></li>' for each in listed))
        if listed:
            return Response(200, (JSON,), json.dumps([{"id": each} for each in listed]).encode())
        asked = (request.query or b"").decode().removeprefix(f"{kind}=")
        return page(f"<h1>Thing {asked}</h1><p>Key under pot {asked}</p>") if asked in ("41", "43") else Response(404)

    return application


@pytest.mark.parametrize("html", [False, True])
@pytest.mark.parametrize(
    ("place", "kind", "shared", "claimed"),
    [
        ("print", "bed", False, {"idor"}),
        ("print", "bed", True, set()),
        ("print", "course", False, set()),
        ("fare", "bed", False, set()),
        ("routes/estimate", "bed", False, set()),
        ("routes/print", "bed", False, {"idor"}),
        ("edit", "bed", False, {"idor"}),
        ("bed_sheet.php", "bed", False, {"idor"}),
        ("weather", "city", False, set()),
        ("manual", "machine", False, set()),
    ],
)
def test_a_parameter_says_by_its_name_what_list_its_object_stands_in(
    place: str, kind: str, shared: bool, claimed: set[str], html: bool
):
    application, headers, pages = (
        printed(kind, html=html, shared=shared),
        ((b"Authorization", OPAQUE["ann"].encode()),),
        Pages(),
    )
    request = Request("GET", f"/{place}?{kind}=41".encode(), headers)
    pages.meet(record(application, Request("GET", f"/{many(kind)}".encode(), headers)).exchange, visited=False)
    checks = plan(
        record(application, request), DEFAULT, credentials_of(request), (idor.PROBE,),
        identities=identities(request), pages=pages.beside(request),
    )  # fmt: skip
    verdicts = [drive_as(check, application).verdict for check in checks]
    assert {verdict.type for verdict in verdicts if verdict.outcome is Outcome.VULNERABLE} == claimed


def on_paper(kind: str, *, shared: bool) -> Application:
    """The same, where the list itself leads to `/print?doc=…&no=41`."""

    def application(request: Request) -> Response:
        listed = at_the_list(request, kind, shared=shared)
        if listed == ():
            return Response(401)
        if listed:
            return page("".join(f'<li><a href="/print?doc={kind}&amp;no={each}">Print</a></li>' for each in listed))
        asked = (request.query or b"").decode().removeprefix(f"doc={kind}&no=")
        return page(f"<h1>Paper {asked}</h1><p>Key under pot {asked}</p>") if asked in ("41", "43") else Response(404)

    return application


@pytest.mark.parametrize(
    ("kind", "shared", "outcome"),
    [
        ("invoice", False, Outcome.VULNERABLE),
        ("invoice", True, Outcome.SAFE),
        # Each may have chosen what his list leads to.
        ("recipe", False, Outcome.SAFE),
        ("favourite", False, Outcome.SAFE),
    ],
)
def test_a_list_of_what_each_keeps_says_whose_it_is_wherever_it_leads(kind: str, shared: bool, outcome: Outcome):
    application, pages = on_paper(kind, shared=shared), Pages()
    headers = ((b"Authorization", OPAQUE["ann"].encode()),)
    request = Request("GET", f"/print?doc={kind}&no=41".encode(), headers)
    pages.meet(record(application, Request("GET", f"/{many(kind)}".encode(), headers)).exchange, visited=False)
    (check,) = plan(
        record(application, request), DEFAULT, credentials_of(request), (idor.PROBE,),
        identities=identities(request), pages=pages.beside(request),
    )  # fmt: skip
    assert drive_as(check, application).verdict.outcome is outcome


class Repairs:
    """Pages of a site: `/repairs.php` lists one's own, `/repair.php?id=` shows any, `/repair_edit.php` changes
    any. all_: the list shows all.
    """

    def __init__(self, *, all_: bool) -> None:
        self.kept, self.all = {"5": ("ann", "Stairs are dark"), "6": ("ben", "Door is loose")}, all_

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        given = dict(parse_qsl((request.query or request.body or b"").decode()))
        number = given.get("id", "")
        if not caller:
            return Response(302, ((b"Location", b"/login.php"),))
        if request.method == "POST" and number in self.kept:
            self.kept[number] = (self.kept[number][0], given["text"])
        if request.path == b"/repair_edit.php":
            return Response(302, ((b"Location", b"/repair.php?id=" + number.encode()),))
        if request.path == b"/repairs.php":
            own = [each for each, (owner, _) in self.kept.items() if self.all or owner == caller]
            return page("".join(f"<p><a href=/repair.php?id={each}>one</a></p>" for each in own))
        return page(f"<h1>{number}</h1><p>{self.kept[number][1]}</p>") if number in self.kept else Response(404)


@pytest.mark.parametrize(("all_", "outcome"), [(False, Outcome.VULNERABLE), (True, Outcome.SAFE)])
def test_what_was_made_since_the_list_was_recorded_stands_in_it_now(all_: bool, outcome: Outcome):
    application, pages = Repairs(all_=all_), Pages()
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Authorization", OPAQUE["ann"].encode()))
    listed = Request("GET", b"/repairs.php", headers, host="coop.example")
    nothing = Response(200, ((b"Content-Type", b"text/html"),), b"<p>none</p>")
    pages.meet(record(lambda _: nothing, listed).exchange, visited=False)
    read = Request("GET", b"/repair.php?id=5", headers, host=listed.host)
    written = Request("POST", b"/repair_edit.php", headers, b"id=5&text=Stairs are dark", host=listed.host)
    pages.meet(record(application, read).exchange, visited=False)
    (check,) = plan(
        record(application, written), DEFAULT, credentials_of(written), (idor_write.PROBE,),
        identities=identities(written), pages=pages.beside(written),
    )  # fmt: skip
    assert drive_as(check, application).verdict.outcome is outcome
