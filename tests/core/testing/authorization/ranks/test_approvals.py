"""What says that a request approves something, and that something is approved."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.ranks.approvals import approves, says_approved, says_to_approve

JSON = (b"Content-Type", b"application/json")


@pytest.mark.parametrize(
    ("path", "body", "approved"),
    [
        (b"/leave/7/approve", b"", True),
        (b"/leave/7/sign-off", b"{}", True),
        (b"/urlaub/7/approuver", b"", True),
        (b"/urlaub/7/genehmigung", b"", True),
        (b"/leave/7", b'{"state": "approved"}', True),
        (b"/leave/7", b'{"leaveStatus": "Granted"}', True),
        (b"/leave/7", b'{"is_approved": true}', True),
        (b"/leave/7", b'{"is_approved": false}', False),
        (b"/leave/7", b'{"state": "submitted"}', False),
        (b"/leave/7", b'{"note": "approved"}', False),
        (b"/leave/7/cancel", b"", False),
        (b"/approved/7", b"", False),
    ],
)
def test_an_approval_is_told_by_its_last_word_or_the_state_that_it_sets(
    path: bytes, body: bytes, approved: bool
) -> None:
    assert approves(Request("POST", path, (JSON,), body)) is approved
    assert says_to_approve(path) is (path.endswith((b"approve", b"sign-off", b"approuver", b"genehmigung")))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("state", "approved", True),
        ("approved", "true", True),
        ("state", "true", False),
        ("title", "approved", False),
        ("zustand", "genehmigt", True),
        ("estado", "APROBADA", True),
        ("zustand", "eingereicht", False),
        ("titel", "genehmigt", False),
    ],
)
def test_a_field_for_a_state_says_that_it_is_approved(name: str, value: str, said: bool) -> None:
    assert says_approved(name, value) is said
