"""A file is read as it comes, unzipped, and never further than the limit."""

import gzip
import io

import pytest
from django.test import RequestFactory

from gatecrash.control.api import upload
from gatecrash.control.api.errors import ApiError


def stream(body: bytes, limit: int = 1000, **more: str) -> "io.BufferedReader":
    request = RequestFactory().post("/v1/x", data=body, content_type="application/json", **more)
    return upload.stream(request, limit)


def test_a_body_is_given_as_it_is_and_unzipped_where_it_is_zipped() -> None:
    assert stream(b"plain").read() == b"plain"
    assert stream(gzip.compress(b"zipped", mtime=0)).read() == b"zipped"


def test_a_body_in_chunks_has_no_length_and_is_read_to_its_end() -> None:
    request = RequestFactory().generic("POST", "/v1/x")
    request.META.pop("CONTENT_LENGTH", None)
    request.META["HTTP_TRANSFER_ENCODING"] = "chunked"
    request.META["wsgi.input"] = io.BytesIO(b"in chunks")
    assert upload.stream(request).read() == b"in chunks"


@pytest.mark.parametrize("body", [b"x" * 1001, gzip.compress(b"x" * 1001, mtime=0)])
def test_reading_ends_at_the_limit_in_either_form(body: bytes) -> None:
    with pytest.raises(ApiError) as caught:
        stream(body).read()
    assert caught.value.status == 413


def test_a_file_of_just_the_limit_is_read() -> None:
    assert len(stream(b"x" * 1000).read()) == 1000
