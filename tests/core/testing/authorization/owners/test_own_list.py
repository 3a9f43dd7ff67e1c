"""Lists of one's own, and what they say of objects that they leave out."""

import msgspec
import orjson
import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, drive_as, identities
from tests.range.tenants_store import BY_TOKEN, SIGNED, asked

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.owners.own_list import (
    is_shown_to_all,
    leaves_out,
    list_of,
    share_entries,
    shows_only_own,
)
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

REQUEST = Request("GET", b"/hives/31", ((b"Authorization", b"Basic YW5uOnNlc2FtZQ=="),))
(NAMED,) = named_objects(REQUEST)


def answer(document: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(document))


def situation(*pages: tuple[bytes, object], request: Request = REQUEST):
    known = Pages()
    for target, document in pages:
        page = msgspec.structs.replace(request, target=target)
        known.add(record(lambda _, told=document: answer(told), page).exchange)
    recorded = record(lambda _: answer({"id": 31, "user": "ann", "email": "ann@club.test"}), request)
    beside = known.beside(request)
    (check,) = plan(recorded, DEFAULT, credentials_of(request), (PROBE,), pages=beside)
    return check.situation(None)


@pytest.mark.parametrize(
    ("listed", "only_own"),
    [
        ([{"id": 31, "userId": 7}, {"id": 40, "userId": 7}], True),
        ({"data": [{"id": 31, "customer": {"id": 7, "name": "Ann"}}]}, True),
        ([{"id": 31, "userId": 7}, {"id": 40, "userId": 8}], False),
        ([{"id": 40, "userId": 7}], False),
        ([{"id": 31}], False),
        ([{"id": 31, "createdById": 7}], False),
        ([], False),
    ],
)
def test_a_list_of_ones_own_names_nobody_else(listed, only_own):
    assert shows_only_own(answer(listed), NAMED, frozenset({"7", "ann"})) is only_own


@pytest.mark.parametrize(
    ("mine", "theirs", "shared"),
    [
        ([{"id": 1, "yard": 1}, {"id": 4, "yard": 2}], [{"id": 2, "yard": 2}, {"id": 5, "yard": 1}], False),
        ([{"id": 1, "yard": 1}, {"id": 4, "yard": 2}], [{"id": 2, "yard": 2}, {"id": 4, "yard": 2}], True),
        ([{"id": 7, "hive_id": 1}, {"id": 1, "hive_id": 3}], [{"id": 9, "hive_id": 3}], True),
    ],
)
def test_lists_share_entries_and_not_what_their_entries_have_in_common(mine, theirs, shared):
    (named,) = named_objects(Request("GET", b"/hives/1", REQUEST.headers))
    assert share_entries(answer(mine), answer(theirs), named) is shared


def test_a_refusal_is_no_list():
    refused = msgspec.structs.replace(answer([{"id": 31, "userId": 7}]), status=403)
    assert not shows_only_own(refused, NAMED, frozenset({"7"}))


def test_what_a_list_leaves_out():
    assert leaves_out(answer([{"id": 31}]), "32")
    assert not leaves_out(answer([{"id": 31}]), "31")


@pytest.mark.parametrize("whole", [b"/hives", b"/hives?page=2&per_page=50&sort=name", b"/hives?v=2"])
def test_the_list_above_is_asked_for_as_it_was_recorded(whole: bytes):
    assert list_of(situation(), NAMED) == b"/hives"
    assert list_of(situation((whole, [{"id": 31}])), NAMED) == whole


def test_the_list_above_may_end_with_a_slash():
    assert list_of(situation((b"/hives/?page=2", [{"id": 31}])), NAMED) == b"/hives/?page=2"


@pytest.mark.parametrize("query", [b"mine=1", b"ownerId=7", b"page=1&assignee=ann", b"status=open"])
def test_a_list_that_was_narrowed_by_its_reader_is_asked_for_as_a_whole(query: bytes):
    assert list_of(situation((b"/hives?" + query, [{"id": 31}])), NAMED) == b"/hives"
    both = situation((b"/hives?" + query, [{"id": 31}]), (b"/hives?page=1", [{"id": 31}]))
    assert list_of(both, NAMED) == b"/hives?page=1"


def test_what_is_written_for_readers_and_what_stands_at_the_root_have_none():
    posts = Request("GET", b"/posts/31", REQUEST.headers)
    assert list_of(situation(request=posts), named_objects(posts)[0]) is None


def test_another_page_of_such_objects_may_show_those_of_others():
    everybodys = situation((b"/hives/nearby", [{"id": 31, "user": "ann"}, {"id": 32, "user": "ben"}]))
    assert is_shown_to_all(everybodys, NAMED, "32")
    assert not is_shown_to_all(everybodys, NAMED, "33")
    assert not is_shown_to_all(situation((b"/weather", [{"id": 31}, {"id": 32}])), NAMED, "32")


class Chosen:
    """Things at `/<kind>s/7` that all may read, and a list of those that the caller takes. each: what each thing holds
    beside its name.
    both: one that both take.
    """

    def __init__(self, kind: str, each: dict[str, object] | None = None, *, both: bool = False) -> None:
        self.kind, self.each = kind, each or {}
        self.taken = {"ann": ["70011", *(["70030"] if both else [])], "ben": ["70020", *(["70030"] if both else [])]}

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        name = next((name for name, each in OPAQUE.items() if each == token), "")
        if not name:
            return Response(401)
        asked_for = request.path.decode().removeprefix(f"/{self.kind}s").strip("/")
        if not asked_for:
            return answer([{"id": each, "title": f"Tea {each}"} for each in self.taken.get(name, ())])
        if asked_for not in {each for taken in self.taken.values() for each in taken}:
            return Response(404)
        return answer(
            {"id": asked_for, "title": f"Tea {asked_for}", "level": 3, "words": f"All of {asked_for}", **self.each}
        )


def judged(request: Request, application: Chosen, *lists: str) -> Outcome:
    known = Pages()
    for each in lists:
        known.add(record(application, msgspec.structs.replace(request, target=each.encode())).exchange)
    (check,) = plan(
        record(application, request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), pages=known.beside(request),
    )  # fmt: skip
    return drive_as(check, application).verdict.outcome


@pytest.mark.parametrize(
    ("application", "outcome"),
    [
        (Chosen("course"), Outcome.SAFE),
        (Chosen("event"), Outcome.SAFE),
        (Chosen("course", {"phone": "0151 22"}), Outcome.VULNERABLE),
        (Chosen("course", {"public": False}), Outcome.VULNERABLE),
        (Chosen("course", {"visibility": "private"}), Outcome.VULNERABLE),
        (Chosen("crate"), Outcome.VULNERABLE),
        (Chosen("project"), Outcome.VULNERABLE),
        (Chosen("crate", both=True), Outcome.SAFE),
        (Chosen("crate", {"phone": "0151 22"}, both=True), Outcome.VULNERABLE),
    ],
)
def test_the_list_above_may_be_what_each_has_chosen_of_what_is_everybodys(application, outcome: Outcome):
    request, list_ = (
        Request("GET", f"/{application.kind}s/70011".encode(), ((b"Authorization", OPAQUE["ann"].encode()),)),
        f"/{application.kind}s",
    )
    assert judged(request, application) is outcome
    assert judged(request, application, list_) is outcome, "in the record, too"


@pytest.mark.parametrize(
    ("opened", "outcome"),
    [((), Outcome.VULNERABLE), (("told of /letters/41",), Outcome.SAFE)],
    ids=["led by none", "led"],
)
def test_whom_a_list_of_his_choice_led_to_it_in_the_record_may_read_it(
    opened: tuple[str, ...], outcome: Outcome
) -> None:
    """An assistant's own letters are others; those of whom he works for he asks for by name."""

    def office(request: Request) -> Response:
        name = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        if not name or request.path not in (b"/letters", b"/letters/41", b"/letters/43"):
            return Response(404 if name else 401)
        own = 41 if name == "ann" else 43
        if request.path == b"/letters":
            return answer([{"id": own, "subject": f"Rent of {own}"}])
        number = int(request.path[-2:])
        return answer({"id": number, "subject": f"Rent of {number}", "text": f"We cannot pay before day {number}"})

    request = asked("/letters/41", tokens=SIGNED)("")
    known = (Identity("ann"), Identity("eva", known=opened))
    (check,) = plan(record(office, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    assert drive_as(check, office).verdict.outcome is outcome
