"""A file that a document names is shown, again and again, and one that is not there never is."""

from collections.abc import Callable

from tests.core.testing.driving import inquiry_into, played, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.files.named_in_documents import ShownFile, file_for, shows_file
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry
from gatecrash.core.testing.probes.xxe import PROBE

SHOWN = Response(200, (), b"root:x:0:0:root:/root:/bin/bash\n")


def at(*headers: tuple[bytes, bytes]) -> Inquiry:
    baseline = record(lambda _: Response(200, headers, b"fine"), Request("GET", b"/?q=<a>b</a>"))
    return inquiry_into("q", baseline, PROBE, 1)


def shown(application: Callable[[str], Response]) -> ShownFile | None:
    inquiry = at()

    def sending(document: str, purpose: str) -> Asking:
        return (yield from inquiry.send(document, purpose=purpose))

    return played(shows_file(inquiry, lambda file: f"<a>{file}</a>", sending), application)


def test_a_file_that_is_shown_where_it_is_named_and_there():
    found = shown(lambda document: SHOWN if "<a>/etc/passwd</a>" in document else Response(200, (), b"nothing"))
    assert found is not None
    assert found.what == "/etc/passwd"
    assert "A document that names /etc/passwd" in found.proof.verified_by


def test_what_shows_it_for_whatever_is_named_or_only_once_proves_nothing():
    answers = iter([SHOWN])
    assert shown(lambda _: SHOWN) is None
    assert shown(lambda _: next(answers, Response(200, (), b"nothing"))) is None


def test_the_file_is_one_that_the_targets_system_has():
    assert file_for(at()) == "/etc/passwd"
    assert file_for(at((b"Server", b"Microsoft-IIS/10.0"))) == "/c:/windows/win.ini"
