"""No payload of any probe changes or deletes more than its baseline does: every one is put to a real database and tree.

The statements and commands are written so that a little too much would be seen: rows of another owner, lists,
files beside the one that is named.
"""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
from tests.core.testing.driving import drive, record
from tests.core.testing.vault import COMMANDS, STATEMENTS, Vault

NUMBERS = {"delete-by-number", "delete-in", "update-number"}
FORM, JSON = b"application/x-www-form-urlencoded", b"application/json"


def values(name: str) -> tuple[str, ...]:
    if name == "delete-then-order":
        return ("id",)
    return ("2",) if name in NUMBERS else ("tea", "")


def requests(kind: str, name: str, value: str) -> list[Request]:
    """The same question as a form, as JSON, and in the path of a DELETE."""
    path = f"/{kind}/{name}".encode()
    number = json.dumps({"q": int(value) if value.isdigit() else value}).encode()
    asked = [
        Request("POST", path, ((b"Content-Type", FORM),), b"q=" + value.encode()),
        Request("PUT", path, ((b"Content-Type", JSON),), number),
    ]
    return [*asked, Request("DELETE", path + b"/" + value.encode())] if value else asked


CASES = [
    *(("sql", name, value) for name in STATEMENTS for value in values(name)),
    *(("shell", name, "files/tea" if name == "rm" else "tea") for name in COMMANDS),
    ("file", "remove", "tea"),
    ("file", "write", "tea"),
]


@pytest.mark.parametrize(("kind", "name", "value"), CASES, ids=lambda part: str(part) or "empty")
def test_nothing_is_changed_or_deleted_beyond_what_the_baseline_changes(kind, name, value, tmp_path):
    sent = 0
    for number, request in enumerate(requests(kind, name, value)):
        (tmp_path / str(number)).mkdir()
        vault = Vault(tmp_path / str(number))
        for check in plan(record(vault, request), THOROUGH):
            sent += len(drive(check, vault).sent)
        assert vault.beyond == []
        vault.pristine.close()
    assert sent > 30


def test_a_payload_that_went_too_far_would_be_seen(tmp_path):
    """The vault is no blind witness: what must never be sent is noted."""
    vault = Vault(tmp_path)
    for path, value in (
        ("sql/delete-by-name", "tea' OR '1'='1"),
        ("sql/delete-in", "2) OR (1=1"),
        ("shell/rm-single", "../secret"),
        ("file/remove", "../../../../../../../../etc/passwd"),
    ):
        vault.allowed, vault.beyond = frozenset(), []
        vault(Request("PUT", b"/" + path.encode(), ((b"Content-Type", JSON),), json.dumps({"q": value}).encode()))
        assert len(vault.beyond) == 1, path
    vault.pristine.close()
