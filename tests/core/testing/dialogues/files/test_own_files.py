"""Proof by files of the application: a reader that follows steps up is found, and nobody who stays in his folder."""

import posixpath
from collections.abc import Callable

import pytest
from tests.core.testing.driving import answered, inquiry_into, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.files.own_files import OwnRead, is_path, is_sought_in, reads_own_files
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.probes.ptrav import PROBE

ABOUT, PACKAGE = '{"title": "About us"}', '{"name": "shop", "version": "1.2.0", "scripts": {"start": "node ."}}'
WEB_XML = "<web-app version='6.0'></web-app>"
EXPRESS, TOMCAT = ((b"X-Powered-By", b"Express"),), ((b"Set-Cookie", b"JSESSIONID=7"),)
FILES = {"/srv/locales/about.json": ABOUT, "/srv/package.json": PACKAGE, "/web/docs/rules.html": "Hold on."}
FILES |= {"/web/WEB-INF/web.xml": WEB_XML, "/srv/open/about.json": ABOUT, "/srv/open/package.json": PACKAGE}
DOCUMENT = "[Express Logo](http://expressjs.com/)\n**The minimalist web framework for Node**"
FILES |= {"/srv/docs/about.md": "# About us", "/srv/node_modules/express/Readme.md": DOCUMENT}


def reading(path: str, headers=EXPRESS) -> Response:
    content = FILES.get(posixpath.normpath(path))
    return Response(200, headers, content.encode()) if content else Response(404, headers, b"no such text")


def outcome(application: Callable[[str], Response], value: str = "about", seed: int = 1) -> tuple[OwnRead | None, int]:
    """What comes of it at an application that was asked for a file with steps up before, and how often it was asked."""
    asked: list[bytes] = []

    def answering(request: Request) -> Response:
        asked.append(request.target)
        return application(request.target.decode().partition("=")[2].replace("%2F", "/"))

    def dialogue(inquiry: Inquiry):
        yield from inquiry.send("../../nowhere")
        return (yield from reads_own_files(inquiry))

    first = Request("GET", f"/?page={value}".encode())
    found = answered(dialogue(inquiry_into("page", record(answering, first), PROBE, seed)), answering)
    return found, len(asked)


def test_a_reader_that_adds_an_extension_shows_the_manifest():
    found, _ = outcome(lambda value: reading(f"/srv/locales/{value}.json"))
    assert found is not None
    assert found.file.name == "package.json"
    assert found.shown.payload.endswith("package")
    assert "package.json" in found.told().verified_by


@pytest.mark.parametrize("value", ["about", "about.md"])
def test_a_reader_of_documents_shows_the_one_of_a_package(value):
    ending = "" if value.endswith(".md") else ".md"
    found, _ = outcome(
        lambda asked: reading(f"/srv/docs/{asked}{ending}") if f"{asked}{ending}"[-3:] == ".md" else reading(""), value
    )
    assert found is not None
    assert found.file.name == "node_modules/express/Readme.md"


@pytest.mark.parametrize(
    "application",
    [
        lambda value: reading("/srv/docs/" + value.rpartition("/")[2] + ".md"),
        lambda value: reading("/srv/docs" + posixpath.normpath("/" + value) + ".md"),
        lambda value: reading("/srv/docs/about.md" if "eadme" not in value else "/srv/node_modules/express/Readme.md"),
    ],
)
def test_no_other_reader_of_documents_does(application):
    for seed in range(20):
        assert outcome(application, seed=seed)[0] is None


def test_a_reader_within_a_servlets_application_shows_its_description():
    found, _ = outcome(lambda value: reading(f"/web/docs/{value}", TOMCAT), "rules.html")
    assert found is not None
    assert found.file.name == "WEB-INF/web.xml"


@pytest.mark.parametrize(
    "application",
    [
        lambda value: reading("/srv/locales/" + value.rpartition("/")[2] + ".json"),
        lambda value: reading("/srv/locales" + posixpath.normpath("/" + value) + ".json"),
        lambda value: reading("/srv/open" + posixpath.normpath("/" + value) + ".json"),
        lambda value: reading(f"/srv/locales/{value}.json" if value in ("about", "./about") else "/nowhere"),
        lambda _: reading("/srv/locales/about.json"),
        lambda value: Response(200, (), value.encode()),
        lambda value: Response(200, (), (PACKAGE if "package" in value else ABOUT).encode()),
    ],
)
def test_no_other_reader_does(application):
    for seed in range(20):
        assert outcome(application, seed=seed)[0] is None


def test_a_value_that_is_no_path_costs_a_request():
    assert outcome(lambda value: reading(f"/srv/locales/{value}.json") if value == "about" else Response(404))[1] == 3


def test_a_path_is_asked_for_once_and_remembered():
    baseline = record(lambda _: Response(200, (), b"About us"), Request("GET", b"/?page=about"))
    inquiry, asked = inquiry_into("page", baseline, PROBE), []

    def application(request: Request) -> Response:
        asked.append(request.target)
        return Response(200, (), b"About us") if b"about" in request.target else Response(404)

    def twice():
        yield from inquiry.send("nowhere")
        first = yield from is_path(inquiry)
        return first, (yield from is_path(inquiry))

    assert answered(twice(), application) == (True, True)
    assert len(asked) == 2


@pytest.mark.parametrize(("told", "sought"), [(b"none", True), (b"nothing for nowhere", False)])
def test_texts_that_are_shown_again_are_not_sought_in(told, sought):
    inquiry = inquiry_into("page", record(lambda _: Response(200), Request("GET", b"/?page=about")), PROBE)
    answered(inquiry.send("nowhere"), lambda _: Response(404, (), told))
    assert is_sought_in(inquiry) is sought
