"""A proof as its page shows it: the point marked, what differs marked, and no credential anywhere."""

from collections.abc import Callable

import msgspec
import pytest
from tests.control.ui.conftest import Estate

from gatecrash.control import bulk_sql, wall
from gatecrash.control.findings import evidence_rows
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.ui.reads.evidence import _answer, proof
from gatecrash.core.message import Exchange, Request, Response

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_the_proof_shows_the_point_both_sides_and_how_to_repeat_it(
    client_id: str, estate: Callable[[str], Estate]
) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        shown = proof(Vulnerability.objects.get(id=own.vulnerability_id))
    assert shown is not None
    assert [text for text, is_marked in shown["where"] if is_marked] == ["%27"]
    before, after = ("".join(text for text, _ in shown[f"request_{side}"]) for side in ("before", "after"))
    assert "GET /items?q=1" in before
    assert "GET /items?q=%27" in after
    assert any(is_marked for _, is_marked in shown["answer_after"])
    assert shown["compared_with"] == "Baseline"
    assert "curl" in shown["curl"]
    assert "a-token-of-sixteen" not in repr(shown)


def test_requests_that_differ_in_masked_credentials_alone_are_told_so(
    client_id: str, estate: Callable[[str], Estate]
) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        row = Vulnerability.objects.get(id=own.vulnerability_id)
        shown = proof(row)
        assert shown is not None
        assert shown["same_but_masked"] is False, "their queries differ"
        kept = evidence_rows.read(row.id)
        assert kept is not None
        asked = kept.baseline.request
        other = tuple((name, value.replace(b"a-token", b"another")) for name, value in asked.headers)
        letters = ("A", "A", "B"), None, ("A", "A", "none")
        cases = zip((other, asked.headers, asked.headers[:1]), (True, False, False), letters, strict=True)
        for headers, alike, told in cases:
            test = msgspec.structs.replace(kept.baseline, request=msgspec.structs.replace(asked, headers=headers))
            bulk_sql.execute("DELETE FROM findings_evidence WHERE client_id = %s", [client_id])
            evidence_rows.store(row.id, msgspec.structs.replace(kept, test=test))
            shown = proof(row)
            assert shown is not None
            assert shown["same_but_masked"] is alike
            assert tuple(shown.get("credentials", {}).values()) == (told or ())


def test_a_finding_of_the_whole_request_has_no_point_to_mark(client_id: str, estate: Callable[[str], Estate]) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        row = Vulnerability.objects.get(id=own.vulnerability_id)
        row.point = []
        shown = proof(row)
    assert shown is not None
    assert shown["where"] == []
    assert "request_after" in shown


def test_a_described_request_without_an_answer_is_no_broken_one() -> None:
    request = Request("GET", b"/items/1")
    assert "written from a description" in _answer(Exchange(request, drafted=True))
    assert _answer(Exchange(request)) == "No answer came."
    assert _answer(Exchange(request, Response(204), drafted=True)).startswith("HTTP/1.1 204")


def test_without_what_was_kept_there_is_no_proof(client_id: str, estate: Callable[[str], Estate]) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        row = Vulnerability.objects.get(id=own.vulnerability_id)
        [table] = [name for name in wall.tables() if "evidence" in name]
        assert bulk_sql.execute(f"DELETE FROM {table} WHERE client_id = %s", [client_id])
        assert proof(row) is None
