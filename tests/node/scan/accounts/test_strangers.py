"""Nothing of an account that was there before is changed because a list has shown it."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.entrance import Entrance
from gatecrash.core.testing.profiles.profile import ENROLLED, AuthProfile, ProfileIdentity, Step
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.accounts.oneself import Oneself
from gatecrash.node.scan.accounts.strangers import Strangers
from gatecrash.node.scan.drafts.known_values import KnownValues
from gatecrash.node.test.beforehand.draft_answer import STRANGERS, refuse_what_is_none
from gatecrash.node.test.sessions.of_run import Sessions

JSON = ((b"Content-Type", b"application/json"),)
LISTED = [{"id": 41, "badge": "bo", "mail": "bo@example.com"}, {"id": 42, "badge": "cy", "mail": "cy@example.com"}]
USER = Point(("post", "json_doc", "json_obj", "user_id"))


def identity(name: str, *variables: tuple[str, str]) -> ProfileIdentity:
    return ProfileIdentity(name=name, variables=variables)


OURS = (
    identity("one", ("user", "gcone"), ("password", "pw-1"), ("id", "51")),
    identity("two", ("user", "gctwo"), ("password", "pw-2"), ("id", "52")),
)
UNNUMBERED = (identity("one", ("user", "gcone")), identity("two", ("user", "gctwo")))

LOGIN = Request("POST", b"/login", JSON, b'{"badge": "x", "password": "y"}')
JOINING = Request("POST", b"/fans/join", JSON, b'{"badge": "x", "password": "y"}')
ENTRANCE = Entrance(LOGIN, JOINING)
SIGNS_IN = Step(method="POST", url="/login", json='{"badge": "${n}", "password": "${p}"}')
BO = ProfileIdentity(name="one", variables=(("n", "Bo"), ("p", "pw-1")), login=(SIGNS_IN,))
BADGE = Hole("badge", Point(("post", "json_doc", "json_obj", "badge")))


async def never(*_: Any, **__: Any) -> Any:
    """Nothing is sent to tell whose account it is."""
    raise AssertionError


def spared(draft: Draft, identities: Iterable[ProfileIdentity] = (), profile_id: str = ENROLLED) -> Draft:
    """The draft as it may be sent, behind a list of accounts and a registration that told the number of what it made."""
    profile = AuthProfile(id=profile_id, name="x", identities=tuple(identities)) if identities else None
    made = (("users",),)
    oneself = Oneself.of(profile, made)
    known = KnownValues(("badge",), made, oneself)
    known.learn(Request("GET", b"/users"), Response(200, JSON, json.dumps(LISTED).encode()))
    known.learn(Request("POST", b"/users", JSON, b'{"badge": "dee"}'), Response(201, JSON, b'{"id": 60}'))
    return Strangers(known, oneself, Sessions(profile, never), ENTRANCE, made).spared(draft)


def described(method: str, target: str, body: Any, *holes: Hole) -> Draft:
    request = Request(method, target.encode(), JSON, json.dumps(body).encode(), "http", "127.0.0.1", 9)
    return Draft(request=request, drafted=True, operation=True, holes=holes)


def raising(user: Any = 41, *, given: bool = False, method: str = "POST") -> Draft:
    return described(method, "/raises", {"user_id": user, "role": "x"}, Hole("user_id", USER, given=given))


def account(named: str) -> Draft:
    return described("PUT", f"/users/{named}", {"town": "x"}, Hole("id", Point(("path", "1"))))


@pytest.mark.parametrize("draft", [raising(), account("42")])
@pytest.mark.parametrize("identities", [(), UNNUMBERED])
def test_a_change_of_an_account_that_a_list_shows_is_held_back(
    draft: Draft, identities: tuple[ProfileIdentity, ...]
) -> None:
    held = spared(draft, identities)
    assert (held.kept, held.stranger, held.request) == (True, True, draft.request)
    with pytest.raises(UserError, match="was there before"):
        refuse_what_is_none(held)
    assert "example that may be changed" in STRANGERS


@pytest.mark.parametrize(
    "draft",
    [
        raising(given=True),
        raising(7),
        raising(51),
        account("60"),
        account("52"),
        described("GET", "/users/41", {}, Hole("id", Point(("path", "1")))),
        described("PUT", "/boats/41", {"name": "x"}, Hole("id", Point(("path", "1")))),
    ],
    ids=["shown by the document", "met nowhere", "his own", "made here", "the other's", "only read", "no account"],
)
def test_what_is_no_strangers_stays(draft: Draft) -> None:
    assert spared(draft, OURS) is draft


def test_the_scans_other_account_takes_a_strangers_place_where_it_was_made_for_the_scan() -> None:
    changed = spared(raising(), OURS)
    assert json.loads(changed.request.body) == {"user_id": 52, "role": "x"}
    assert not changed.kept
    assert spared(raising(), OURS, "written").stranger


def test_a_name_that_the_login_uses_is_an_accounts() -> None:
    hole = Hole("badge", Point(("post", "json_doc", "json_obj", "badge")))
    changed = spared(described("POST", "/raises", {"badge": "bo", "role": "x"}, hole), OURS)
    assert json.loads(changed.request.body) == {"badge": "gctwo", "role": "x"}


def test_a_password_is_set_for_its_sender_to_what_it_is() -> None:
    hole = Hole("badge", Point(("post", "json_doc", "json_obj", "badge")))
    asked = described("POST", "/lost", {"badge": "bo", "digits": "0", "password": "x"}, hole)
    assert json.loads(spared(asked, OURS).request.body) == {"badge": "gcone", "digits": "0", "password": "pw-1"}
    assert spared(asked, UNNUMBERED).stranger


def test_what_was_held_back_is_sent_once_an_own_name_is_known() -> None:
    held = spared(raising(), UNNUMBERED)
    assert json.loads(spared(held, OURS).request.body)["user_id"] == 52


def test_what_makes_an_account_is_about_nobody_who_is_there() -> None:
    strangers = Strangers(KnownValues(), Oneself(), Sessions(None, never), ENTRANCE, ())
    joining = described("POST", "/fans/join", {"badge": "example", "password": "x"}, BADGE)
    assert strangers.joining(joining).holes == ()
    other = described("POST", "/raises", {"badge": "example", "password": "x"}, BADGE)
    assert strangers.joining(other) is other


def test_whom_a_profile_signs_in_by_a_variable_of_any_name_is_no_stranger() -> None:
    raised = described("POST", "/raises", {"badge": "bo", "role": "x"}, BADGE)
    assert spared(raised, [BO], "written") is raised
    assert spared(described("POST", "/raises", {"badge": "cy", "role": "x"}, BADGE), [BO], "written").stranger


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/raises", {"badge": "bo", "password": "made-up"}),
        ("/raises", {"badge": "bo", "new_password": "made-up"}),
        ("/set/password", {"badge": "bo", "text": "made-up"}),
        ("/desk/deactivate", {"badge": "bo"}),
    ],
)
def test_nothing_is_sent_that_he_could_not_sign_in_after(path: str, body: Any) -> None:
    assert spared(described("POST", path, body, BADGE), [BO], "written").stranger
