"""A manifest names what an archive may hold, and nothing else."""

import json
from typing import Any

import pytest

from gatecrash.control.backup.manifest import DATABASE, RING, DamagedArchive, Entry, Manifest, decode

WHOLE = Manifest(
    program="0.24.0",
    made_at=1_700_000_000,
    kind="sqlite",
    server="3.40.1",
    migrations=("accounts.0001_initial",),
    installation="0123456789abcdef",
    vault_keys=("00ff",),
    with_keys=True,
    files=(Entry(DATABASE, 12, "ab"), Entry(RING, 3, "cd")),
)


def test_what_is_written_is_read() -> None:
    assert decode(WHOLE.encode()) == WHOLE


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"kind": "oracle"},
        {"installation": "../../etc"},
        {"made_at": "yesterday"},
        {"files": [{"name": "../keys/ring", "size": 1, "sha256": ""}]},
        {"files": [{"name": RING, "size": 1, "sha256": ""}]},
        {"files": [{"name": DATABASE, "size": 1, "sha256": ""}] * 2},
        {"files": [{"name": DATABASE, "size": -1, "sha256": ""}]},
        {"files": None},
    ],
)
def test_what_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(DamagedArchive):
        decode(json.dumps({**WHOLE.document(), **change}).encode())


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"{}", b"null"])
def test_what_is_no_manifest_is_refused(content: bytes) -> None:
    with pytest.raises(DamagedArchive):
        decode(content)
