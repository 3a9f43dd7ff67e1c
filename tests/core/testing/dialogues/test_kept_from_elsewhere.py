"""What an application keeps of a page of another site is shown from then on, and nothing else proves it."""

from random import Random
from urllib.parse import parse_qs

import msgspec
import pytest
from tests.core.testing.driving import answered, credentials_of, record

from gatecrash.core.message import Request, Response, with_header
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.kept_from_elsewhere import keeps_from_elsewhere
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.csrf import PROBE

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
SESSION = (b"Cookie", b"sessionid=3f9a0c77de114b02aa55")


class Profile:
    """It shows what it keeps; of other sites it takes what it is told to take."""

    def __init__(self, *, takes: str) -> None:
        self.takes, self.kept, self.sent = takes, {"about": "likes hills", "year": "1984"}, 0

    def __call__(self, request: Request) -> Response:
        if request.method == "POST":
            self.sent += 1
            foreign = b"Origin" in dict(request.headers)
            told = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
            self.kept |= {name: value for name, value in told.items() if not foreign or name in self.takes}
        rows = "".join(f"<td>{value}</td>" for value in self.kept.values())
        return Response(200, ((b"Content-Type", b"text/html"),), rows.encode())


@pytest.mark.parametrize(
    ("body", "takes", "keeps"),
    [
        (b"about=likes+hills", "about", True),
        (b"about=likes+hills", "", False),
        (b"year=1984", "year", False),
        (b"other=likes&about=likes+hills", "about", True),
    ],
    ids=["kept", "turned down", "a number is left as it is", "the second of the fields"],
)
def test_what_is_kept(body: bytes, takes: str, keeps: bool) -> None:
    site, request = Profile(takes=takes), Request("POST", b"/me", (FORM, SESSION), body)
    baseline = record(site, request)
    (check,) = plan(baseline, THOROUGH, credentials_of(request), (PROBE,))
    inquiry = Inquiry(check.situation(Random(1)), [baseline.exchange])
    foreign = msgspec.structs.replace(
        request, headers=with_header(request.headers, b"Origin", b"https://other.example")
    )
    fields = [found for found in walk(request).points if found.point[:1] == ("post",) and not found.container]
    site.sent = 0
    assert answered(keeps_from_elsewhere(inquiry, lambda: foreign, fields), site) is keeps
    assert site.kept["about"] == "likes hills"
    assert site.sent <= 4
