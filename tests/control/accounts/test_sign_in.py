"""The sign-in: one answer for whatever is wrong, a lock after five tries, a way back that never leads elsewhere."""

from collections.abc import Callable

import pytest
from django.test import Client
from tests.control.browsing import PASSWORD, Person

from gatecrash.control import wall
from gatecrash.control.accounts import sign_in
from gatecrash.control.accounts.models import AuditEntry

pytestmark = [pytest.mark.database, pytest.mark.django_db]
HERE = "/sign-in/"


def test_the_right_password_opens_and_is_written_down(client_id: str, person: Callable[..., Person]) -> None:
    someone, http = person("viewer"), Client()
    answer = http.post(HERE, {"login": f" {someone.email.upper()} ", "password": PASSWORD})
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert http.get("/inventory/").status_code == 200
    assert http.get(HERE)["Location"] == "/", "who is signed in needs no login page"
    assert http.post("/sign-out/")["Location"] == HERE
    assert http.get("/inventory/").status_code == 302
    with wall.client(client_id):
        actions = list(
            AuditEntry.objects.filter(actor=someone.user.pk).order_by("number").values_list("action", flat=True)
        )
    assert actions[-2:] == ["user.sign_in", "user.sign_out"]


def test_a_wrong_address_and_a_wrong_password_are_answered_alike(person: Callable[..., Person]) -> None:
    someone = person("viewer")
    known = Client().post(HERE, {"login": someone.email, "password": "wrong"})
    unknown = Client().post(HERE, {"login": "nobody@example.com", "password": "wrong"})
    assert known.status_code == unknown.status_code == 400
    texts = [
        answer.content.decode().replace(email, "")
        for answer, email in ((known, someone.email), (unknown, "nobody@example.com"))
    ]
    assert sign_in.WRONG in texts[0]
    before_the_token = {text.split("csrfmiddlewaretoken")[0] for text in texts}
    assert len(before_the_token) == 1
    assert 'wrong"' not in texts[0], "what was typed as a password is not sent back"


def test_five_wrong_tries_lock_the_right_password_out_too(client_id: str, person: Callable[..., Person]) -> None:
    someone, http = person("viewer"), Client()
    statuses = [http.post(HERE, {"login": someone.email, "password": "wrong"}).status_code for _ in range(5)]
    assert statuses[:4] == [400] * 4
    answer = http.post(HERE, {"login": someone.email, "password": PASSWORD})
    assert answer.status_code == 429
    assert b"15 minutes" in answer.content
    assert http.get("/inventory/").status_code == 302
    other = person("admin")
    assert http.post(HERE, {"login": other.email, "password": PASSWORD}).status_code == 302, "nobody else is locked out"
    with wall.client(client_id):
        [entry] = AuditEntry.objects.filter(action="user.locked_out")
    assert (entry.target, entry.actor, entry.detail) == (someone.user.pk, "system", {"source": "127.0.0.1"})


@pytest.mark.parametrize(
    ("back", "location"),
    [
        ("/inventory/?status=missing", "/inventory/?status=missing"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("javascript:alert(1)", "/"),
    ],
)
def test_the_way_back_stays_here(person: Callable[..., Person], back: str, location: str) -> None:
    someone = person("viewer")
    answer = Client().post(HERE, {"login": someone.email, "password": PASSWORD, "next": back})
    assert (answer.status_code, answer["Location"]) == (302, location)


@pytest.mark.parametrize("given", [{}, {"login": "a@b.cd"}, {"password": "x"}, {"login": "\x00", "password": "\x00"}])
def test_a_form_that_is_not_filled_in_says_so(given: dict[str, str]) -> None:
    assert Client().post(HERE, given).status_code == 400


def test_an_account_that_is_not_active_stays_outside(person: Callable[..., Person]) -> None:
    someone = person("viewer")
    someone.user.is_active = False
    someone.user.save()
    answer = Client().post(HERE, {"login": someone.email, "password": PASSWORD})
    assert answer.status_code in {302, 400}
    assert answer.headers.get("Location") != "/"


def test_signing_out_needs_a_post() -> None:
    assert Client().get("/sign-out/").status_code == 405
    assert not sign_in.AccountAdapter().is_open_for_signup(None)  # type: ignore[arg-type]
    assert not sign_in.SocialAdapter().is_open_for_signup(None, None)  # type: ignore[arg-type]
