"""A fresh key stands before the others."""

from tests.cli.conftest import Installation

from gatecrash.control import keys


def test_a_rotated_key_stands_before_the_others(unused: Installation) -> None:
    """On an installation of its own: what runs has read the keys that there were, and a backup counts them."""
    folders = unused.folder / "data", unused.folder / "keys"
    assert unused.run("client", "create", "First").returncode == 0
    before = keys.ring(*folders)
    assert unused.run("key", "rotate").returncode == 0
    after = keys.ring_file(*folders).read_text().split()
    assert (len(after), after[1:]) == (2, before)
    assert unused.run("key", "rotate", GATECRASH_KEYS=before[0]).returncode == 2
    assert unused.audited() == ["client.create", "key.rotate"], "one that was refused is not told"


def test_what_is_stored_is_sealed_anew(installation: Installation) -> None:
    done = installation.run("key", "reseal")
    assert done.returncode == 0, done.stderr
    assert "sealed anew" in done.stderr
