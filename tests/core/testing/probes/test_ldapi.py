"""The probe ldapi, driven against the range's places over a real port, and against what only passes over brackets."""

import base64
import pickle

import pytest
from tests.core.testing.driving import runs
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.points.percent import unquote
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.ldapi import PROBE
from gatecrash.core.testing.verdict import Outcome

KEPT = base64.b64encode(pickle.dumps({"tea": 3, "cups": 2}, protocol=4)).decode()


def decoding(request: Request) -> Response:
    """Decodes its value as base64, in which signs that are none are passed over, and breaks over what does not load."""
    given = unquote(request.target.partition(b"=")[2])
    try:
        kept = pickle.loads(base64.b64decode(given))
    except (ValueError, EOFError, KeyError, IndexError, AttributeError, ImportError, pickle.UnpicklingError):
        return Response(500, (), b"no")
    return Response(200, (), repr(kept).encode())


class TestProbe(AtRange):
    name = "ldapi"
    probe = PROBE


@pytest.mark.parametrize("seed", range(3))
def test_who_passes_over_brackets_parses_no_filter(seed: int) -> None:
    found = runs(decoding, Request("GET", f"/kept?state={KEPT}".encode()), (PROBE,), THOROUGH, seed)
    assert [run.verdict.outcome for run in found if run.verdict.outcome is Outcome.VULNERABLE] == []


@pytest.mark.parametrize(("path", "compares"), [("/people", True), ("/people/remove", False)])
def test_a_link_that_deletes_whom_it_finds_is_sent_no_other_comparison(path: str, compares: bool) -> None:
    asked: list[str] = []

    def application(request: Request) -> Response:
        asked.append(unquote(request.target).decode())
        return Response(200, ((b"Content-Type", b"text/plain"),), b"nobody")

    assert runs(application, Request("GET", f"{path}?name=anna".encode()), (PROBE,), THOROUGH)
    assert any("(objectClass=" in each for each in asked) is compares
