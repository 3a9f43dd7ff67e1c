"""A body that nobody read is read to its end, or the answer says that the connection closes."""

from io import BytesIO

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse

from gatecrash.control.api.unread_body import FORGIVEN, settle

LIMIT = 200_000
MOST = LIMIT * FORGIVEN


def settled(body: bytes, *, known: bool = True, **meta: str) -> tuple[str | None, bytes]:
    """The Connection header of the answer, and what is still unread."""
    stream = BytesIO(body)
    request = WSGIRequest({"REQUEST_METHOD": "POST", "wsgi.input": stream, **meta})
    if known:
        request.caller = "somebody"
    response = HttpResponse()
    settle(request, response, LIMIT)
    return response.headers.get("Connection"), stream.read()


@pytest.mark.parametrize("length", [1, 65535, 65536, 65537, LIMIT, LIMIT + 1, MOST])
def test_a_body_is_read_and_the_connection_stays(length: int) -> None:
    assert settled(b"x" * length, CONTENT_LENGTH=str(length)) == (None, b"")
    assert settled(b"x" * length, HTTP_TRANSFER_ENCODING="chunked") == (None, b"")


def test_a_body_that_is_far_too_large_is_left_and_the_close_is_announced() -> None:
    declared, unread = settled(b"x" * (MOST + 1), CONTENT_LENGTH=str(MOST + 1))
    assert (declared, len(unread)) == ("close", MOST + 1)
    assert settled(b"x" * (MOST + 5), HTTP_TRANSFER_ENCODING="chunked") == ("close", b"x" * 4)


def test_who_waits_to_be_told_to_send_is_not_made_to_send_what_is_too_large() -> None:
    """Reading would tell him to go on (100 Continue)."""
    declared, unread = settled(b"x" * (LIMIT + 1), CONTENT_LENGTH=str(LIMIT + 1), HTTP_EXPECT="100-continue")
    assert (declared, len(unread)) == ("close", LIMIT + 1)


def test_nothing_is_read_from_strangers() -> None:
    assert settled(b"{}", known=False, CONTENT_LENGTH="2") == ("close", b"{}")


def test_a_caller_who_went_away_ends_the_connection() -> None:
    class Broken(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise ConnectionResetError

    request = WSGIRequest({"REQUEST_METHOD": "POST", "wsgi.input": Broken(), "CONTENT_LENGTH": "5"})
    request.caller = "somebody"
    response = HttpResponse()
    settle(request, response, LIMIT)
    assert response.headers["Connection"] == "close"


@pytest.mark.parametrize("meta", [{}, {"CONTENT_LENGTH": ""}, {"CONTENT_LENGTH": "0"}])
def test_without_a_body_nothing_happens(meta: dict[str, str]) -> None:
    assert settled(b"", known=False, **meta) == (None, b"")


def test_a_length_that_is_no_number_closes() -> None:
    assert settled(b"x", CONTENT_LENGTH="²")[0] == "close"
