"""A fresh key stands before the others."""

from tests.cli.conftest import Installation


def test_a_rotated_key_stands_before_the_others(installation: Installation) -> None:
    [path] = (installation.folder / "keys").glob("keys-*")
    before = path.read_text().split()
    assert installation.run("key", "rotate").returncode == 0
    assert path.read_text().split()[1:] == before
    assert installation.run("key", "rotate", GATECRASH_KEYS=before[0]).returncode == 2


def test_what_is_stored_is_sealed_anew(installation: Installation) -> None:
    done = installation.run("key", "reseal")
    assert done.returncode == 0, done.stderr
    assert "sealed anew" in done.stderr
