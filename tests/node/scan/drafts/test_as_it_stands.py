"""What is written over is described as it stands, where a request is described that shows it."""

import asyncio
import json
from typing import Any

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.as_it_stands import as_it_stands

JSON = ((b"Content-Type", b"application/json"),)


def described(method: str, target: str, body: Any = None, *holes: int) -> Draft:
    text = b"" if body is None else json.dumps(body).encode()
    listed = tuple(Hole("id", Point(("path", str(at)))) for at in holes)
    request = Request(method, target.encode(), JSON if text else (), text)
    return Draft(request=request, drafted=True, operation=True, holes=listed)


def sent_instead(draft: Draft, *others: Draft, shown: Any, status: int = 200) -> tuple[Any, list[bytes]]:
    """What the draft sends now, and what was asked for it."""
    asked: list[bytes] = []

    async def send(one: Draft) -> Draft:
        asked.append(one.request.target)
        return Draft(request=one.request, response=Response(status, JSON, json.dumps(shown).encode()))

    return json.loads(asyncio.run(as_it_stands(draft, others, send)).request.body), asked


@pytest.mark.parametrize(
    ("body", "shown", "kept"),
    [
        ({"mail": "a@b", "age": 1}, {"id": 7, "mail": "ann@c", "age": 30}, {"mail": "ann@c", "age": 30}),
        ({"mail": "a@b"}, {"user": {"mail": "ann@c"}}, {"mail": "ann@c"}),
        ({"at": {"city": "b", "zip": "c"}, "on": True}, {"at": {"city": "Rome"}, "on": 1}, {"at": {"city": "Rome", "zip": "c"}, "on": True}),
        ({"entries": ["a"], "tags": ["b"]}, {"entries": ["x", "y"], "tags": []}, {"entries": ["x", "y"], "tags": ["b"]}),
        ({"bio": "a", "password": "b"}, {"bio": "", "password": "***"}, {"bio": "a", "password": "b"}),
        ({"mail": "a@b"}, [{"mail": "ann@c"}], {"mail": "a@b"}),
    ],
)  # fmt: skip
def test_members_that_are_shown_stay(body: Any, shown: Any, kept: Any) -> None:
    own = described("GET", "/me")
    assert sent_instead(described("PATCH", "/me", body), own, shown=shown) == (kept, [b"/me"])


def test_one_of_a_kind_is_asked_for_by_its_own_name() -> None:
    draft = described("PUT", "/items/7", {"name": "a"}, 1)
    assert sent_instead(draft, described("GET", "/items/1", None, 1), shown={"name": "tea"}) == (
        {"name": "tea"},
        [b"/items/7"],
    )


@pytest.mark.parametrize(
    ("target", "kept", "asked"),
    [
        ("/users/7/update", {"name": "tea"}, [b"/users/7"]),
        ("/users/7/replace", {"name": "tea"}, [b"/users/7"]),
        ("/users/7/invite", {"name": "a"}, []),
    ],
)
def test_a_post_says_that_it_writes_over_a_thing(target: str, kept: Any, asked: list[bytes]) -> None:
    shows = described("GET", "/users/1", None, 1)
    assert sent_instead(described("POST", target, {"name": "a"}, 1), shows, shown={"name": "tea"}) == (kept, asked)


def test_a_post_of_a_collection_writes_over_nothing() -> None:
    draft = described("POST", "/users/update", {"name": "a"})
    assert sent_instead(draft, described("GET", "/users"), shown={"name": "tea"}) == ({"name": "a"}, [])


def test_whoever_signs_in_keeps_his_password_where_his_account_is_written_over() -> None:
    async def send(one: Draft) -> Draft:
        return Draft(request=one.request, response=Response(200, JSON, b'{"id": 7, "mail": "ann@c", "name": "Ann"}'))

    draft = described("PUT", "/users/7", {"name": "a", "password": "b"}, 1)
    ours = [(("mail", "ann@c"), ("password", "sesame"))]
    kept = asyncio.run(as_it_stands(draft, [described("GET", "/users/1", None, 1)], send, ours))
    assert json.loads(kept.request.body) == {"name": "Ann", "password": "sesame"}
    for mail, password in (("ann@c", "sesame"), ("ben@c", "b")):
        named = described("POST", "/auth/change", {"mail": mail, "password": "b"})
        assert json.loads(asyncio.run(as_it_stands(named, [], send, ours)).request.body)["password"] == password


@pytest.mark.parametrize(
    ("draft", "others", "status", "asked"),
    [
        (described("PUT", "/me", {"name": "a"}), (), 200, 0),
        (described("PUT", "/me", {"name": "a"}), (described("GET", "/you"),), 200, 0),
        (described("POST", "/me", {"name": "a"}), (described("GET", "/me"),), 200, 0),
        (described("PUT", "/me", {"name": "a"}), (described("GET", "/me"),), 403, 1),
    ],
)
def test_what_nothing_shows_is_sent_as_described(
    draft: Draft, others: tuple[Draft, ...], status: int, asked: int
) -> None:
    sent, questions = sent_instead(draft, *others, shown={"name": "tea"}, status=status)
    assert (sent, len(questions)) == ({"name": "a"}, asked)


@pytest.mark.parametrize(
    ("shown", "kept"),
    [
        (
            {
                "data": {
                    "id": 7,
                    "name": "Rex",
                    "owner_id": 3,
                    "role": "x",
                    "created_at": "2026-01-01",
                    "age": 4,
                    "tags": [],
                }
            },
            {"name": "Rex", "age": 4},
        ),
        ({"pet_id": 7, "name": "Rex", "notes": "", "password": "sesame"}, {"name": "Rex"}),
        ({"status": "fine"}, {}),
        ([{"id": 7, "name": "Rex"}], {}),
    ],
)
def test_of_a_body_that_nothing_describes_what_is_shown_is_sent(shown: Any, kept: Any) -> None:
    draft = described("PUT", "/pets/7", {}, 1)
    assert sent_instead(draft, described("GET", "/pets/1", None, 1), shown=shown) == (kept, [b"/pets/7"])
