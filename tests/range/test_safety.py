"""No payload of any probe changes or deletes more than its baseline does: every one is put to a real database and tree.

The statements and commands are written so that a little too much would be seen: rows of another owner, lists,
files beside the one that is named.
"""

import json
import re
from pathlib import Path

import msgspec
import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.extension_source import Source
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.registry import REGISTRY
from tests.core.testing.driving import drive, record
from tests.core.testing.vault import COMMANDS, STATEMENTS, Vault

EVERYTHING = msgspec.structs.replace(THOROUGH, logins=True)
FOLDER = Path(__file__).parent.parent.parent / "docs" / "extensions"
EXAMPLES = tuple(Source(name=path.name, text=path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.yaml")))
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


def harmless(tried, policy, folder):
    """Puts every check of every request to a vault of its own, which nothing may change beyond; how many requests it was."""
    sent = 0
    for number, request in enumerate(tried):
        (folder / str(number)).mkdir()
        vault = Vault(folder / str(number))
        for check in plan(record(vault, request), policy):
            sent += len(drive(check, vault).sent)
        assert vault.beyond == []
        vault.pristine.close()
    return sent


CASES = [
    *(("sql", name, value) for name in STATEMENTS for value in values(name)),
    *(("shell", name, "files/tea" if name == "rm" else "tea") for name in COMMANDS),
    ("file", "remove", "tea"),
    ("file", "write", "tea"),
]


@pytest.mark.parametrize(("kind", "name", "value"), CASES, ids=lambda part: str(part) or "empty")
def test_nothing_is_changed_or_deleted_beyond_what_the_baseline_changes(kind, name, value, tmp_path):
    assert harmless(requests(kind, name, value), EVERYTHING, tmp_path) > 30


# Of probes that put their payloads into any value, whatever it looks like.
OF_VALUES = frozenset("sqli nosqli rce ssti ptrav xss ldapi xpathi crlf xxe mass_assignment info anomaly auth".split())  # noqa: SIM905 -- a list of names


def test_every_probe_of_values_is_among_those_that_are_put_to_the_vault(tmp_path):
    """What the test above says of every payload, it says of all these; the rest look for forms that no value here has."""
    vault = Vault(tmp_path)
    plans = [plan(record(vault, request), EVERYTHING) for request in requests("sql", "update", "tea")]
    assert {check.probe.type for checks in plans for check in checks} >= OF_VALUES - {"auth"}
    looked_for = {probe.type for probe in REGISTRY} - OF_VALUES
    assert looked_for == {"idor", "csrf", "cors", "deserialization", "graphql", "ssrf", "redir"}
    vault.pristine.close()


@pytest.mark.parametrize("kind", ["sql", "shell", "file"])
def test_the_examples_of_extensions_change_nothing_either(kind, tmp_path):
    name, value = {"sql": ("delete-in", "2"), "shell": ("rm-single", "tea"), "file": ("write", "tea")}[kind]
    policy = msgspec.structs.replace(EVERYTHING, extensions=EXAMPLES, only_custom=True)
    assert harmless(requests(kind, name, value), policy, tmp_path) > 0


def test_what_deletes_is_never_asked_without_the_value_that_names_it(tmp_path):
    """Many take a value that is not there for all."""
    vault = Vault(tmp_path)
    for request in requests("sql", "delete-by-name", "tea")[:2]:
        for check in plan(record(vault, request), EVERYTHING):
            for asked in (sent.request for sent in drive(check, vault).sent if sent.request.method == request.method):
                assert asked.path != request.path or re.search(rb'\bq"?[=:]', asked.body), check.probe.type
    vault.pristine.close()


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
