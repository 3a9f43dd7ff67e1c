"""A file is raw, is kept under a harmless name, and is run by no browser."""

import pytest

from gatecrash.control.api.download import downloading, file
from gatecrash.control.api.roles import READ


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("nightly-tr_1.html", "nightly-tr_1.html"),
        ('a"; filename=b\r\nX: y.sh', "a-filename-b-X-y.sh"),
        ("Nächte/…/x.csv", "N-chte-x.csv"),
    ],
)
def test_the_name_is_harmless(name: str, kept: str) -> None:
    assert file(b"", "text/csv", name)["Content-Disposition"] == f'attachment; filename="{kept}"'


def test_no_browser_runs_what_a_target_wrote() -> None:
    answer = file(b"<script>", "text/html", "x.html")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "sandbox"
    assert (answer.content, answer["Content-Length"]) == (b"<script>", "8")


def test_the_document_tells_the_types() -> None:
    arguments = downloading(READ, ("text/csv", "application/json"), query=True)
    assert set(arguments["openapi_extra"]["responses"][200]["content"]) == {"text/csv", "application/json"}
    assert 200 not in arguments["response"]
    assert 400 in arguments["response"]
