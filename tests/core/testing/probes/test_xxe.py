"""The probe xxe, driven against the range's places over a real port."""

from tests.core.testing.driving import runs
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.xxe import PROBE


class TestProbe(AtRange):
    name = "xxe"
    probe = PROBE


def test_what_answers_a_broken_document_as_well_is_sent_no_more_of_them():
    """Whoever finds no value may take all: each document would do it once more."""
    request = Request("POST", b"/keys", ((b"Content-Type", b"application/json"),), b'{"pattern": "tea"}', host="a")
    sent = [run.sent for run in runs(lambda _: Response(200, body=b'{"ok": true}'), request, (PROBE,)) if run.sent]
    assert [len(asked) for asked in sent] == [2]
