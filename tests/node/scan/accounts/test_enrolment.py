"""Accounts are made and signed in by what a description shows, against an application that really checks them."""

import asyncio
import base64
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.known.identity import ANYBODY
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.formats.draft import Credential, Draft, Hole
from gatecrash.node.scan.accounts.enrolment import Enrolment, brings_credentials, lets_in_whom

HEADERS = ((b"Host", b"x"), (b"Content-Type", b"application/json"))
BEARER = Credential("bearer", Point(("header", "AUTHORIZATION")), "Bearer ")
SIGN_UP = {"username": "example", "email": "user@example.com", "password": "Example-Password-1", "plan": "example"}


class Club:
    """An application that lets members in. strict: refuses fields of a registration that it does not like."""

    def __init__(self, *, strict: Callable[[dict[str, Any]], bool] = bool, word: str = "Bearer ", by: str = "username"):
        self.members: dict[str, str] = {}
        self.asked: list[str] = []
        self.told: dict[str, Any] = {}
        self._strict = strict
        self._word = word
        self._by = by

    async def send(self, request: Request) -> Answer:
        """The answer, at once."""
        await asyncio.sleep(0)
        path = request.path.decode()
        self.asked.append(path)
        status, body = self._answer(path, request)
        response = Response(status, ((b"Content-Type", b"application/json"),), json.dumps(body).encode())
        return Answer(Exchange(request, response))

    def _answer(self, path: str, request: Request) -> tuple[int, Any]:
        given = json.loads(request.body or b"{}")
        if path == "/register":
            if not self._strict(given) or given.get(self._by, given["email"]) in self.members:
                return 422, {"detail": "no"}
            self.members[given.get(self._by, given["email"])] = given["password"]
            return 201, {"id": len(self.members)}
        if path == "/login":
            if self.members.get(given["username"]) != given["password"]:
                return 401, {"detail": "wrong"}
            return 200, {"token": "token-of-" + given["username"]}
        token = (request.first(b"Authorization") or b"").decode()
        if not token.startswith(self._word + "token-of-"):
            return 401, {"detail": "sign in"}
        return 200, {"name": token.rpartition("-")[2], **self.told}


def draft(method: str, path: str, body: Any = None, spare: Any = None, **more: Any) -> Draft:
    def request(what: Any) -> Request:
        return Request(
            method, path.encode(), HEADERS, json.dumps(what).encode() if what else b"", "http", "127.0.0.1", 9
        )

    return Draft(request=request(body), drafted=True, spare=request(spare) if spare else None, **more)


def drafts(*, places: tuple[Credential, ...] = (BEARER,), spare: Any = None, sign_up: Any = SIGN_UP) -> list[Draft]:
    return [
        draft("POST", "/register", sign_up, spare),
        draft("POST", "/login", {"username": "example", "password": "Example-Password-1"}),
        draft("GET", "/me", wants=("bearer",), places=places),
    ]


def enrolled(club: Club, listed: list[Draft]) -> Enrolment:
    enrolment = Enrolment(listed)
    asyncio.run(enrolment.run(club.send))
    return enrolment


def test_two_accounts_are_made_once_each_and_signed_in() -> None:
    club = Club()
    enrolment = enrolled(club, drafts())
    assert enrolment.possible
    assert club.asked == ["/register", "/login", "/me"] * 2
    assert enrolment.profile is not None
    one, other = enrolment.profile.identities
    assert (one.name, other.name) == ("account 1", "account 2")
    assert [(placed.point, placed.value) for placed in one.values] == [(("header", "AUTHORIZATION"), "Bearer ${token}")]
    assert one.hosts == "127.0.0.1:9"
    assert set(one.known) == {enrolment.accounts[0].user, enrolment.accounts[0].mail}
    assert enrolment.accounts[0].user != enrolment.accounts[1].user
    assert one.login[0].take[0].expression == '$["token"]'


@pytest.mark.parametrize(
    ("wants", "brings", "asked"),
    [
        (["bearer", "bearer"], [None, None], True),
        (["bearer", "basic"], [None, True], True),
        (["bearer", ""], [True, None], False),
        (["", ""], [True, None], False),
        (["", ""], [True, False], True),
        (["", ""], [None, None], True),
    ],
)
def test_accounts_are_made_where_something_lacks_what_it_wants(
    wants: list[str], brings: list[bool | None], *, asked: bool
) -> None:
    listed = [
        msgspec.structs.replace(draft("GET", f"/{number}"), wants=(kind,) if kind else ())
        for number, kind in enumerate(wants)
    ]
    assert lets_in_whom(listed, lambda request: brings[int(request.path[1:])]) is asked


@pytest.mark.parametrize(("end", "brings"), [(900, False), (1100, True), (None, True)])
def test_a_saved_token_whose_time_is_over_lets_nobody_in(end: int | None, *, brings: bool) -> None:
    claims = base64.urlsafe_b64encode(json.dumps({"sub": "7", **({"exp": end} if end else {})}).encode()).rstrip(b"=")
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').rstrip(b"=")
    token = b"Bearer " + b".".join((header, claims, b"c2lnbmF0dXJl"))
    request = Request("GET", b"/me", ((b"Authorization", token),), b"", "http", "x", 80)
    assert brings_credentials(request, [BEARER.point], 1000.0) is brings
    assert brings_credentials(request, [Point(("post", "form_urlencoded", "token"))], 1000.0) is None


def test_names_of_accounts_are_taken_for_names_in_addresses_in_every_run() -> None:
    for _ in range(20):
        assert all(look_in_path(account.user) for account in enrolled(Club(), drafts()).accounts)


def test_an_account_is_known_by_what_it_is_told_about_itself_and_ranks_lowest_where_anybody_makes_one() -> None:
    club = Club(by="email")
    club.told = {"id": 41, "theme": "dark"}
    profile = enrolled(club, drafts()).profile
    assert profile is not None
    assert ["41" in each.known and "dark" not in each.known for each in profile.identities] == [True, True]
    assert {each.rank for each in profile.identities} == {ANYBODY}
    club.members["example"] = "Example-Password-1"
    described = enrolled(club, drafts()[1:]).profile
    assert described is not None
    assert described.identities[0].rank == 0


def test_a_registration_that_is_refused_whole_is_tried_with_what_it_needs() -> None:
    club = Club(strict=lambda given: "plan" not in given)
    needed = {name: value for name, value in SIGN_UP.items() if name != "plan"}
    assert enrolled(club, drafts(spare=needed)).profile is not None


def test_a_password_of_the_document_is_taken_where_ours_does_not_fit() -> None:
    club = Club(strict=lambda given: given["password"] == SIGN_UP["password"])
    enrolment = enrolled(club, drafts())
    assert [account.password for account in enrolment.accounts] == [SIGN_UP["password"]] * 2


def test_who_has_no_name_signs_in_with_the_address() -> None:
    sign_up = {"email": "user@example.com", "password": "x"}
    assert enrolled(Club(by="email"), drafts(sign_up=sign_up)).profile is not None


@pytest.mark.parametrize("word", ["Bearer ", "Token ", ""])
def test_the_word_before_a_token_is_asked_for_where_the_description_is_silent(word: str) -> None:
    profile = enrolled(Club(word=word), drafts(places=())).profile
    assert profile is not None
    assert profile.identities[0].values[0].value == word + "${token}"


def test_it_is_told_where_the_token_lets_in_by_no_known_header() -> None:
    enrolment = enrolled(Club(word="Sesame "), drafts(places=()))
    assert enrolment.profile is not None
    assert "no header" in enrolment.doubt
    assert not enrolled(Club(), drafts(places=())).doubt


class Cautious(Club):
    """Lets in who has confirmed, with a code that its registration tells."""

    confirmed = False

    def _answer(self, path: str, request: Request) -> tuple[int, Any]:
        if path == "/confirm":
            self.confirmed = json.loads(request.body) == {"email": [*self.members][-1], "code": "381"}
            return (200 if self.confirmed else 422), {}
        status, body = super()._answer(path, request)
        if path == "/login" and not self.confirmed:
            return 403, {"detail": "confirm first"}
        return status, ({**body, "confirmationCode": "381"} if path == "/register" else body)


def test_an_account_is_confirmed_where_the_registration_tells_the_code() -> None:
    listed = drafts(sign_up={"email": "user@example.com", "password": "x"})
    club = Cautious(by="email")
    code = {"email": "user@example.com", "code": "1"}
    enrolment = enrolled(club, [*listed, draft("POST", "/confirm", code), draft("POST", "/verify/again", code)])
    assert len(enrolment.accounts) == 2
    assert club.asked.count("/confirm") == 1
    assert "/verify/again" not in club.asked, "nothing is asked for that nobody needs any more"


def test_nobody_is_signed_in_where_nobody_may_join_and_the_reason_is_told() -> None:
    club = Club(strict=lambda _given: False)
    enrolment = enrolled(club, drafts())
    assert enrolment.profile is None
    assert enrolment.trouble == "POST /register makes no account: it is answered 422"
    assert len(club.asked) == 2, "as it is, and with the document's own password"


@pytest.mark.parametrize("listed", [drafts(), drafts()[1:]], ids=["to make an account", "to sign in as described"])
def test_where_nobody_answers_that_is_what_is_wrong(listed: list[Draft]) -> None:
    sent: list[Request] = []

    async def send(request: Request) -> Answer:
        await asyncio.sleep(0)
        sent.append(request)
        return Answer(Exchange(request, None), "refused")

    enrolment = Enrolment(listed)
    asyncio.run(enrolment.run(send))
    assert (enrolment.profile, len(sent)) == (None, 1)
    assert enrolment.trouble == "no answer came from 127.0.0.1:9 (refused); is the application running there?"


def test_without_a_registration_the_login_is_sent_as_it_is_described_once() -> None:
    club = Club()
    club.members["example"] = "Example-Password-1"
    enrolment = enrolled(club, drafts()[1:])
    assert enrolment.profile is not None
    assert (len(enrolment.profile.identities), club.asked) == (1, ["/login", "/me"])
    closed = Club()
    assert enrolled(closed, drafts()[1:]).profile is None
    assert closed.asked == ["/login"]


def test_the_registrations_own_drafts_get_accounts_that_fit_and_no_name_that_is_met_meanwhile() -> None:
    named, other = (Hole(name, Point(("post", "json_doc", "json_obj", name))) for name in ("username", "club_id"))
    club, listed = Club(), [msgspec.structs.replace(one, holes=(named, other)) for one in drafts()]
    register, login = map(enrolled(club, listed).filled_in, listed[:2])
    assert json.loads(login.request.body)["username"] == next(iter(club.members))
    assert json.loads(register.request.body)["username"] not in {"example", *club.members}
    assert [one.holes for one in (register, login) if isinstance(one, Draft)] == [(other,), (other,)]


def test_what_is_public_altogether_or_has_no_login_needs_nobody() -> None:
    assert not Enrolment([draft("GET", "/a", public=True, operation=True), *drafts()[:2]]).possible
    assert not Enrolment([draft("GET", "/me", wants=("bearer",))]).possible


def test_what_a_saved_token_goes_with_is_not_public_though_another_request_says_that_it_is() -> None:
    saved = draft("GET", "/a").request
    brought = msgspec.structs.replace(saved, headers=(*saved.headers, (b"Authorization", b"Bearer over")))
    listed = [draft("GET", "/b", public=True, operation=True), Draft(request=brought, drafted=True), *drafts()[:2]]
    assert Enrolment(listed).possible


def test_beside_the_only_user_of_a_profile_one_account_is_made() -> None:
    user = ProfileIdentity(name="ann", rank=1, values=(Placed(("header", "AUTHORIZATION"), "Bearer own"),))
    given = AuthProfile(id="p", name="ours", identities=(user,))
    club, listed = Club(), drafts()
    enrolment = Enrolment(listed, beside=given)
    assert len(enrolment.foreseen().identities) == 2
    asyncio.run(enrolment.run(club.send))
    assert club.asked == ["/register", "/login", "/me"]
    assert enrolment.profile is not None
    assert enrolment.profile.leaves_ranks_open
    assert [each.name for each in enrolment.profile.identities] == ["ann", "account 1 made for this scan"]
    changes = draft("PUT", "/profile", {"username": "example"})
    assert enrolment.filled_in(changes) == changes  # it is the user's own, and no account of ours


def test_where_no_account_can_be_made_the_user_of_a_profile_stays_alone() -> None:
    given = AuthProfile(id="p", name="ours", identities=(ProfileIdentity(name="ann"),))
    enrolment = Enrolment(drafts(), beside=given)
    asyncio.run(enrolment.run(Club(strict=lambda _: False).send))
    assert enrolment.profile is given
    assert enrolment.trouble
    assert not Enrolment(drafts()[1:], beside=given).possible


def test_a_plan_foresees_two_accounts_at_the_documents_places_without_sending() -> None:
    profile = Enrolment(drafts()).foreseen()
    assert [one.points for one in profile.identities] == [(BEARER.point,)] * 2
    assert len(Enrolment(drafts()[1:]).foreseen().identities) == 1


class Circle:
    """A GraphQL application that lets members in: all errors under 200, and nobody is `null`."""

    def __init__(self, word: str = "Bearer ") -> None:
        self.members: dict[str, str] = {}
        self.asked: list[str] = []
        self._word = word

    async def send(self, request: Request) -> Answer:
        """The answer, at once."""
        await asyncio.sleep(0)
        body = json.dumps(self._answer(json.loads(request.body), request)).encode()
        return Answer(Exchange(request, Response(200, ((b"Content-Type", b"application/json"),), body)))

    def _answer(self, asked: Any, request: Request) -> Any:
        field, given = asked["query"].partition("{ ")[2].partition("(")[0].split(" ")[0], asked.get("variables", {})
        self.asked.append(field)
        if field == "createUser":
            if "plan" in given["data"]:
                return {"data": {"createUser": None}, "errors": [{"message": "no such plan"}]}
            self.members[given["data"]["username"]] = given["data"]["password"]
            return {"data": {"createUser": {"id": len(self.members)}}}
        if field == "signIn":
            known = self.members.get(given["username"]) == given["password"]
            token = {"token": "token-of-" + given["username"]}
            return {"data": {"signIn": token}} if known else {"errors": [{"message": "wrong"}]}
        name = (request.first(b"Authorization") or b"").decode().removeprefix(self._word)
        return {"data": {"me": {"username": name[9:], "id": 41} if name.startswith("token-of-") else None}}


def circle_drafts() -> list[Draft]:
    def asked(query: str, variables: Any = None) -> Any:
        return {"query": query, "variables": variables} if variables else {"query": query}

    join, enter = (
        "mutation J($data: U!) { createUser(data: $data) { id } }",
        "mutation E { signIn(u: $username) { token } }",
    )
    needed = {name: value for name, value in SIGN_UP.items() if name != "plan"}
    return [
        draft("POST", "/graphql", asked("query M { me { id username } }")),
        draft("POST", "/graphql", asked(join, {"data": SIGN_UP}), asked(join, {"data": needed})),
        draft("POST", "/graphql", asked(enter, {"username": "example", "password": "Example-Password-1"})),
    ]


@pytest.mark.parametrize("word", ["Bearer ", "JWT "])
def test_two_accounts_are_made_and_signed_in_by_mutations_also_beside_a_page_for_all(word: str) -> None:
    circle = Circle(word)
    enrolment = Enrolment([draft("GET", "/", public=True), *circle_drafts()])
    asyncio.run(enrolment.run(circle.send))
    assert enrolment.possible
    assert enrolment.profile is not None, enrolment.trouble
    assert len(circle.members) == 2
    assert [each.values[0].value for each in enrolment.profile.identities] == [word + "${token}"] * 2
    assert all("41" in each.known for each in enrolment.profile.identities)
    assert enrolment.profile.identities[0].login[0].take[0].expression == '$["data"]["signIn"]["token"]'


def test_a_registration_that_tells_errors_under_a_good_status_makes_no_account() -> None:
    circle = Circle()
    listed = circle_drafts()
    enrolment = Enrolment([listed[0], msgspec.structs.replace(listed[1], spare=None), listed[2]])
    asyncio.run(enrolment.run(circle.send))
    assert enrolment.profile is None
    assert enrolment.trouble == "POST /graphql createUser makes no account: it is answered errors"


class Station:
    """A GraphQL application whose users' messages are for themselves: whoever asks for others' gets nothing at all."""

    def __init__(self) -> None:
        self.users: dict[str, str] = {}

    async def send(self, request: Request) -> Answer:
        """The answer, at once."""
        await asyncio.sleep(0)
        asked = json.loads(request.body)
        field, given = ("signUp" if "signUp" in asked["query"] else "signIn"), asked["variables"]
        if field == "signUp" and given["username"] not in self.users:
            self.users[given["username"]] = given["password"]
        elif field == "signUp" or self.users.get(given["username"]) != given["password"]:
            return self._told(request, {"data": None, "errors": [{"message": "no", "path": [field]}]})
        if "messages" in asked["query"]:
            path = [field, "messages"] if field == "signUp" else [field, "user", "messages"]
            return self._told(request, {"data": None, "errors": [{"message": "sign in", "path": path}]})
        named = {"token": "token-of-" + given["username"]} if field == "signIn" else {"id": len(self.users)}
        return self._told(request, {"data": {field: named}})

    def _told(self, request: Request, body: Any) -> Answer:
        return Answer(Exchange(request, Response(200, HEADERS, json.dumps(body).encode())))


def test_accounts_are_made_where_the_answer_holds_what_only_a_signed_in_user_sees() -> None:
    given = {"username": "example", "password": "Example-Password-1"}
    taken = "($username: String!, $password: String!)"
    called = "(username: $username, password: $password)"
    sign_up = f"mutation SignUp{taken} {{ signUp{called} {{ id messages {{ body }} }} }}"
    sign_in = f"mutation SignIn{taken} {{ signIn{called} {{ token user {{ id messages {{ body }} }} }} }}"
    listed = [draft("POST", "/graphql", {"query": query, "variables": given}) for query in (sign_up, sign_in)]
    station = Station()
    enrolment = Enrolment(listed)
    asyncio.run(enrolment.run(station.send))
    assert enrolment.profile is not None
    assert len(enrolment.accounts) == 2
    assert {account.user for account in enrolment.accounts} < station.users.keys()
    tested = enrolment.filled_in(listed[0]).request
    assert b"messages" not in tested.body
    assert json.loads(tested.body)["variables"]["username"] not in station.users
    assert b"messages" not in enrolment.filled_in(listed[1]).request.body
