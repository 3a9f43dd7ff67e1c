"""The probe crlf, driven against the range's places over a real port."""

from collections.abc import Callable
from urllib.parse import quote, unquote

import msgspec
import pytest
from tests.core.testing.driving import Application, runs
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.crlf import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "crlf"
    probe = PROBE


LAST = Point.of("path", "0")


def leads_on(write: Callable[[str], bytes]) -> Application:
    """An application that sends a short address on to where it is kept: `/tea` to `/teas/tea/`."""

    def answer(request: Request) -> Response:
        word = unquote(request.path.decode("latin-1")).removeprefix("/")
        # What servers do with the bytes of a head: a line end ends a header.
        lines = (b"Location: /teas/" + write(word) + b"/").split(b"\r\n")
        headers = tuple((name, value) for name, _, value in (line.partition(b": ") for line in lines))
        return Response(303, headers)

    return answer


def outcomes(application: Application, request: Request) -> list[tuple[Point, Outcome]]:
    return [(run.check.point, run.verdict.outcome) for run in runs(application, request, (PROBE,), VALUES)]


VALUES = msgspec.structs.replace(THOROUGH, locations=("path", "query"))


@pytest.mark.parametrize("target", [b"/tea", b"/tea?page=2"])
def test_the_word_of_a_path_that_its_answer_leads_on_with_is_written_into_a_header(target: bytes):
    found = outcomes(leads_on(str.encode), Request("GET", target))
    assert (LAST, Outcome.VULNERABLE) in found


@pytest.mark.parametrize("write", [lambda word: quote(word).encode(), lambda word: word.split("\r\n")[0].encode()])
def test_a_word_that_is_encoded_or_cut_at_its_line_end_on_the_way_is_none(write: Callable[[str], bytes]):
    assert outcomes(leads_on(write), Request("GET", b"/tea")) == [(LAST, Outcome.SAFE)]


@pytest.mark.parametrize(
    ("target", "response"),
    [
        (b"/tea", Response(303, ((b"Location", b"/login?next=/tea"),))),
        (b"/tea", Response(303, ((b"Location", b"/teahouse/"),))),
        (b"/tea", Response(200, ((b"Location", b"/tea/"),))),
        (b"/tea/", Response(303, ((b"Location", b"/tea"),))),
        (b"/tea", Response(303, ((b"Location", b"http://[tea/tea"),))),
        (b"/tea/leaves?q=1", Response(303, ((b"Location", b"/tea/all"),))),
    ],
)
def test_the_word_of_a_path_that_names_a_place_is_not_asked(target: bytes, response: Response):
    assert not [
        run
        for run in runs(lambda _: response, Request("GET", target), (PROBE,), VALUES)
        if run.check.point[0] == "path"
    ]
