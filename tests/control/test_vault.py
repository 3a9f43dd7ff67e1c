import base64
from pathlib import Path
from typing import Any

import pytest

from gatecrash.control import keys, vault
from gatecrash.control.keys import new_key
from gatecrash.control.vault import CannotOpen, InvalidKey, Vault

HERE = {"client_id": "cl_a", "row": "bl_1"}


def test_a_sealed_value_opens_for_its_client_and_row_only() -> None:
    sealed = Vault([new_key()]).seal(b"secret", **HERE)
    assert b"secret" not in sealed
    ours = Vault([key := new_key()])
    sealed = ours.seal(b"secret", **HERE)
    assert Vault([key]).open(sealed, **HERE) == b"secret"
    for elsewhere in (
        {"client_id": "cl_b", "row": "bl_1"},
        {"client_id": "cl_a", "row": "bl_2"},
        {"client_id": "cl_ab", "row": "l_1"},
    ):
        with pytest.raises(CannotOpen):
            ours.open(sealed, **elsewhere)


def test_the_same_value_is_never_sealed_alike() -> None:
    ours = Vault([new_key()])
    assert ours.seal(b"x", **HERE) != ours.seal(b"x", **HERE)


def test_any_changed_byte_is_noticed() -> None:
    ours = Vault([new_key()])
    sealed = ours.seal(b"value", **HERE)
    for place in range(len(sealed)):
        broken = bytearray(sealed)
        broken[place] ^= 1
        with pytest.raises(CannotOpen):
            ours.open(bytes(broken), **HERE)
    with pytest.raises(CannotOpen):
        ours.open(b"", **HERE)


def test_after_a_rotation_old_values_open_and_are_sealed_again_under_the_new_key() -> None:
    old, new = new_key(), new_key()
    sealed = Vault([old]).seal(b"value", **HERE)
    both = Vault([new, old])
    assert both.open(sealed, **HERE) == b"value"
    assert not both.is_current(sealed)
    again = both.reseal(sealed, **HERE)
    assert both.is_current(again)
    assert Vault([new]).open(again, **HERE) == b"value"
    assert both.reseal(again, **HERE) == again


def test_a_missing_key_is_named_and_not_shown() -> None:
    key = new_key()
    sealed = Vault([key]).seal(b"value", **HERE)
    with pytest.raises(CannotOpen, match="not in the ring") as caught:
        Vault([new_key()]).open(sealed, **HERE)
    assert key not in str(caught.value)


@pytest.mark.parametrize("keys", [[], ["short"], [base64.b64encode(b"x" * 31).decode()], ["é" * 44], ["!" * 44]])
def test_what_is_no_key_is_refused(keys: list[str]) -> None:
    with pytest.raises(InvalidKey):
        Vault(keys)


def test_the_installation_seals_with_its_own_ring() -> None:
    assert vault.unseal(vault.seal(b"v", **HERE), **HERE) == b"v"


def test_a_key_that_was_rotated_in_meanwhile_is_found_in_the_key_file(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.delenv("GATECRASH_KEYS", raising=False)
    before = keys.ring(tmp_path, tmp_path / "keys")
    settings.VAULT_KEYS, settings.DATA_DIR, settings.KEY_DIR = before, tmp_path, tmp_path / "keys"
    request.addfinalizer(vault.vault.cache_clear)
    vault.vault.cache_clear()
    old = vault.seal(b"v", **HERE)
    keys.rotate(tmp_path, tmp_path / "keys")
    new = Vault(keys.ring(tmp_path, tmp_path / "keys")).reseal(old, **HERE)
    assert vault.unseal(new, **HERE) == vault.unseal(old, **HERE) == b"v"
    keys.ring_file(tmp_path, tmp_path / "keys").unlink()
    with pytest.raises(CannotOpen, match="not in the ring"):
        vault.unseal(Vault([new_key()]).seal(b"v", **HERE), **HERE)
    assert vault.unseal(new, **HERE) == b"v", "a key file that is lost makes a process forget nothing"
