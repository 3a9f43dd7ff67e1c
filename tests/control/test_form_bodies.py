"""Slow bodies of forms hold some of the threads, never all; the API and what has no body are not counted."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Event
from typing import Any

import pytest

from gatecrash.control import form_bodies
from gatecrash.control.form_bodies import BoundedForms

MOST = 2
# Only an end to waiting.
PATIENCE = 60


class Slow:
    """A body whose first byte does not come before it is let."""

    def __init__(self) -> None:
        self.began, self.may_come = Event(), Event()

    def read(self, size: int = -1) -> bytes:
        self.began.set()
        assert self.may_come.wait(PATIENCE)
        return b"a"[:size]


def reading(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answers with the body, as far as its length is said."""
    said = environ["CONTENT_LENGTH"]
    left = int(said) if said.isascii() and said.isdigit() else 0
    start_response("200 OK", [])
    return [environ["wsgi.input"].read(left)] if left else [b""]


def asked(application: BoundedForms, body: Any, path: str = "/sign-in/", length: str = "1") -> str:
    """The status of the answer."""
    told: list[str] = []
    environ = {"PATH_INFO": path, "CONTENT_LENGTH": length, "wsgi.input": body}
    application(environ, lambda status, headers: told.append(status))  # type: ignore[arg-type, return-value]
    return told[0]


@pytest.fixture
def application(monkeypatch: pytest.MonkeyPatch) -> BoundedForms:
    monkeypatch.setattr(form_bodies, "PATIENCE", 0)
    return BoundedForms(reading, MOST)  # type: ignore[arg-type]


def test_a_form_too_many_is_refused_while_others_are_read_and_all_else_is_answered(application: BoundedForms) -> None:
    bodies = [Slow() for _ in range(MOST)]
    with ThreadPoolExecutor(MOST) as threads:
        try:
            answers = [threads.submit(asked, application, body) for body in bodies]
            assert all(body.began.wait(PATIENCE) for body in bodies)
            assert asked(application, BytesIO(b"a")) == "503 Service Unavailable"
            assert asked(application, BytesIO(b"a"), "/v1/tokens") == "200 OK"
            assert asked(application, BytesIO(), length="") == "200 OK"
        finally:
            for body in bodies:
                body.may_come.set()
        assert [answer.result(PATIENCE) for answer in answers] == ["200 OK"] * MOST
    assert asked(application, BytesIO(b"a")) == "200 OK"


def test_a_place_is_given_back_when_the_body_is_read_before_the_answer_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(form_bodies, "PATIENCE", 0)

    def asking_again(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        environ["wsgi.input"].readline()
        if environ["PATH_INFO"] != "/inner":
            assert asked(application, BytesIO(b"a"), "/inner") == "200 OK"
        start_response("200 OK", [])
        return []

    application = BoundedForms(asking_again, 1)  # type: ignore[arg-type]
    assert asked(application, BytesIO(b"a")) == "200 OK"


@pytest.mark.parametrize("raised", [ValueError, OSError])
def test_an_application_that_fails_gives_its_place_back(
    monkeypatch: pytest.MonkeyPatch, raised: type[Exception]
) -> None:
    monkeypatch.setattr(form_bodies, "PATIENCE", 0)

    def failing(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        raise raised

    application = BoundedForms(failing, 1)  # type: ignore[arg-type]
    for _ in range(2):
        with pytest.raises(raised):
            asked(application, BytesIO(b"a"))


def test_a_length_that_is_no_number_is_none(application: BoundedForms) -> None:
    assert [asked(application, BytesIO(b"a"), length=said) for said in ("0", "-1", "²")] == ["200 OK"] * 3
