"""The probe xss_upload, driven against the range's places over a real port, and against pages that hand out files."""

from collections.abc import Callable

import pytest
from tests.core.testing.driving import Application, drive, record
from tests.core.testing.probes.at_range import UploadsAtRange
from tests.range.place import Given, answer
from tests.range.uploads import (
    KEPT,
    picturing,
    reads_pictures,
    reads_pictures_and_hands_out_nothing_else,
    reads_pictures_and_their_names,
    shelf,
    typed,
    uploading,
)

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, QUICK
from gatecrash.core.testing.probes.xss_upload import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

HTML = ((b"Content-Type", b"text/html"),)


class TestProbe(UploadsAtRange):
    name = "xss_upload"
    probe = PROBE


class Site:
    """Tells nothing of where a file is but `told`; hands each out below /files, by its name or by its number; and lists them."""

    def __init__(self, told: bytes = b"{}", by_number: bool = False) -> None:
        self.told, self.by_number = told, by_number
        self.names: list[str] = []

    def __call__(self, request: Request) -> Response:
        if request.method == "POST":
            stored = shelf(Given(request))
            self.names.append(stored.body.decode().rpartition("/")[2].rstrip('"}'))
            return Response(
                201, ((b"Content-Type", b"application/json"),), self.told.replace(b"#", b"%d" % len(self.names))
            )
        if request.path == b"/list":
            links = "".join(f"<a href='/files/{name}'>{name}</a>" for name in self.names)
            return Response(200, HTML, f"<html>{links}".encode())
        if request.path == b"/me":
            return answer({"name": "Ann", "picture": f"/files/{self.names[-1]}"})
        asked = request.path.decode().rpartition("/")[2]
        name = self.names[int(asked) - 1] if self.by_number and asked.isdigit() else asked
        return shelf(Given(Request("GET", b"/"), {"q": name}))


def verdict_at(site: Application, *targets: bytes):
    request = uploading("/upload")
    baseline = record(site, request)
    pages = Pages()
    for target in targets:
        pages.add(record(site, Request("GET", target)).exchange)
    (check,) = plan(baseline, DEFAULT, (), (PROBE,), pages=pages.beside(request))
    return drive(check, site)


@pytest.fixture(autouse=True)
def nothing_kept():
    KEPT.clear()


@pytest.mark.parametrize(
    ("site", "target"),
    [
        (Site(), b"/files/note.txt"),
        (Site(), b"/list"),
        (Site(), b"/me"),
        (Site(b'{"id": #}', by_number=True), b"/files/1"),
    ],
    ids=[
        "its name in an address of the run",
        "a link on a page that lists files",
        "what its owner is told of himself",
        "the number that it got",
    ],
)
def test_where_a_file_is_handed_out_is_known_by(site, target):
    run = verdict_at(site, target)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert "image/svg+xml" in run.verdict.proof.verified_by


def test_a_file_that_nobody_hands_out_costs_what_was_forecast_at_most():
    run = verdict_at(Site())
    assert (run.verdict.outcome, len(run.sent)) == (Outcome.SAFE, 2)
    assert run.check.forecast >= len(run.sent)


def test_only_files_are_replaced_and_only_where_requests_may_store():
    form = Request("POST", b"/upload", ((b"Content-Type", b"application/x-www-form-urlencoded"),), b"file=a")
    assert plan(record(Site(), uploading("/upload")), QUICK, (), (PROBE,)) == []
    assert plan(record(lambda _: Response(200), form), DEFAULT, (), (PROBE,)) == []


def test_a_page_that_refuses_a_file_under_a_200_is_sent_one_that_seems_to_be_of_the_recorded_kind():
    """Its check is of the declared type alone."""

    def site(request: Request) -> Response:
        if request.method == "GET":
            name = request.path.decode().rpartition("/")[2]
            return shelf(Given(Request("GET", b"/"), {"q": name}), type_=typed(name))
        if b"Content-Type: text/plain" not in request.body:
            return Response(200, HTML, b"<pre>Your note was not uploaded.</pre>")
        name = shelf(Given(request)).body.decode().rpartition("/")[2].rstrip('"}')
        return Response(200, HTML, f"<pre>/files/{name} was uploaded!</pre>".encode())

    run = verdict_at(site)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert "of type text/plain" in run.verdict.proof.verified_by
    assert run.check.forecast >= 4, "two files that are refused, and two disguised ones"


@pytest.mark.parametrize(
    ("handler", "outcome"),
    [
        (reads_pictures, Outcome.VULNERABLE),
        (reads_pictures_and_hands_out_nothing_else, Outcome.SAFE),
        (reads_pictures_and_their_names, Outcome.SAFE),
    ],
)
def test_a_picture_that_is_read_whole_has_a_page_behind_it(handler: Callable[[Given], Response], outcome: Outcome):
    def site(request: Request) -> Response:
        return handler(Given(request, {"q": request.path.decode().rpartition("/")[2]}))

    (check,) = plan(record(site, picturing("/faces")), DEFAULT, (), (PROBE,))
    assert drive(check, site).verdict.outcome is outcome


def test_a_field_that_says_what_the_file_is_called_says_it_of_the_one_that_is_sent():
    """Kept under the name in the form's field, whatever the file's own is."""
    kept: dict[str, bytes] = {}

    def site(request: Request) -> Response:
        if request.method == "GET":
            name = request.path.decode().rpartition("/")[2]
            type_ = b"image/svg+xml" if name.endswith("svg") else b"text/plain"
            return Response(200, ((b"Content-Type", type_),), kept[name]) if name in kept else Response(404)
        named, file = (part.partition(b"\r\n\r\n")[2].strip() for part in request.body.split(b"--b")[1:3])
        kept[named.decode()] = file
        return Response(200, HTML, b"<img src='/files/" + named + b"'>")

    body = (
        b'--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nnote.txt\r\n'
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="note.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n'
        b"--b--\r\n"
    )
    request = Request("POST", b"/upload", ((b"Content-Type", b"multipart/form-data; boundary=b"),), body)
    (check,) = (each for each in plan(record(site, request), DEFAULT, (), (PROBE,)))
    assert drive(check, site).verdict.outcome is Outcome.VULNERABLE


@pytest.mark.parametrize(
    ("type_of", "outcome"),
    [
        (lambda content: b"text/html" if content[:1] == b"<" else b"text/plain", Outcome.VULNERABLE),
        (lambda _: b"text/html", Outcome.SAFE),
        (lambda _: b"text/plain", Outcome.SAFE),
    ],
    ids=["by its content", "all as pages", "none as a page"],
)
def test_a_type_that_is_taken_from_the_content_runs_under_any_name(type_of, outcome):
    def site(request: Request) -> Response:
        if request.method == "POST":
            return shelf(Given(request))
        name = request.path.decode().rpartition("/")[2]
        content = KEPT.get(name, (b"", b""))[1]
        return shelf(Given(Request("GET", b"/"), {"q": name}), type_=type_of(content))

    run = verdict_at(site)
    assert run.verdict.outcome is outcome
    if run.verdict.proof is not None:
        assert "what the type is taken from" in run.verdict.proof.verified_by
