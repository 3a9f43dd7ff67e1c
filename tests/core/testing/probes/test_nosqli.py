"""The probe nosqli, driven against the range's places over a real port, and against what only tests leave behind."""

from urllib.parse import unquote

from tests.core.testing.driving import runs
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.nosqli import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "nosqli"
    probe = PROBE


def test_files_that_the_tests_of_an_upload_left_by_their_names_are_no_condition_that_holds() -> None:
    """An upload whose name was tested has stored the first questions; any other name is answered as one that is missing."""
    stored = {"leaf.png", *("leaf.png'+[(typeof parseInt)[8]]+'", "leaf.png'+[(typeof Error)[8]]+'")}

    def application(request: Request) -> Response:
        name = unquote(request.path.decode("latin-1")).removeprefix("/up/")
        return Response(200, body=b"picture") if name in stored else Response(404, body=b"not found")

    request = Request("GET", b"/up/leaf.png", ((b"Host", b"x"),), b"", "http", "127.0.0.1", 80)
    verdicts = [run.verdict for seed in range(1, 6) for run in runs(application, request, (PROBE,), seed=seed)]
    assert verdicts
    assert all(verdict.outcome is not Outcome.VULNERABLE for verdict in verdicts)
