"""What stands in a group of both callers is not one's alone: a shared list, driven as two of its household."""

import json

import pytest
from tests.core.testing.driving import record
from tests.core.testing.probes.as_tenants import Run, check_of, drive_as
from tests.range.place import answer
from tests.range.tenants_store import BY_TOKEN, PEOPLE, SIGNED, asked, written

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.idor_write import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

TITLE = "Things for the garden"
MINE = {"id": 7, "email": PEOPLE["ann"]["email"]}


class House:
    """Lists of a household, which whoever is signed in reads and writes. members: who belongs to it. field: how a list
    names it. users: whether a page lists users instead, one of whom has the household's number.
    """

    def __init__(
        self, members: tuple[str, ...], field: str = "household", *, in_a_list: bool = False, users: bool = False
    ) -> None:
        self.users = users
        self.members = members
        self.field = field
        self.in_a_list = in_a_list
        self.title = TITLE

    def __call__(self, request: Request) -> Response:
        name = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        if not name:
            return answer({"error": "please sign in"}, 401)
        if request.path == b"/houses":
            if self.users:
                return answer([{"id": 9001, "email": "ida@store.test", "role": "member"}])
            own = [{"id": 9001, "name": "Hill farm", "role": "member"}] if name in self.members else []
            return answer(own if self.in_a_list else [{"id": 9001, "name": "Hill farm"}])
        if request.path == b"/households/9001":
            people = [{"email": PEOPLE[each]["email"]} for each in self.members]
            return answer({"id": 9001, "name": "Hill farm", "members": [] if self.in_a_list else people})
        if request.path == b"/lists/70331":
            if request.method == "PUT":
                self.title = json.loads(request.body)["title"]
            return answer({"id": 70331, self.field: 9001, "title": self.title, "owner": MINE})
        return answer({"error": "nothing here"}, 404)


def run(house: House) -> Run:
    """The probe that writes as another, at a list of ann's, with the household's pages in the record."""
    request = written("PUT", "/lists/70331", json.dumps({"title": TITLE}).encode(), tokens=SIGNED)("")
    pages = Pages()
    for path in ("/lists/70331", "/households/9001", "/houses"):
        pages.add(record(house, asked(path, tokens=SIGNED)("")).exchange)
    check = check_of(request, house, probe=PROBE, beside=pages)
    assert check is not None
    return drive_as(check, house)


@pytest.mark.parametrize("field", ["household", "household_id"])
def test_what_all_members_of_a_household_write_is_no_ones_alone(field: str) -> None:
    assert run(House(("ann", "ben"), field)).verdict.outcome is Outcome.SAFE


def test_a_list_of_the_others_groups_with_his_role_says_as_much() -> None:
    assert run(House(("ann", "ben"), in_a_list=True)).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize("in_a_list", [False, True])
def test_who_is_no_member_may_not_write(in_a_list: bool) -> None:
    assert run(House(("ann",), in_a_list=in_a_list)).verdict.outcome is Outcome.VULNERABLE


def test_a_user_with_the_number_of_the_household_is_no_household() -> None:
    assert run(House(("ann",), in_a_list=True, users=True)).verdict.outcome is Outcome.VULNERABLE


def test_the_people_of_a_company_keep_things_apart() -> None:
    assert run(House(("ann", "ben"), "company")).verdict.outcome is Outcome.VULNERABLE
