"""Settings come from the environment and nowhere else; each case is a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SHOW = (
    "import json; from gatecrash.control import settings as s; d = s.DATABASES['default'];"
    "print(json.dumps([str(s.DATA_DIR), str(s.KEY_DIR), d['ENGINE'], str(d['NAME']), s.RATE_LIMIT, s.SECRET_KEY, s.DEBUG]))"
)


def settings(home: Path, **environment: str) -> list[object]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GATECRASH_", "XDG_", "DJANGO"))}
    done = subprocess.run(
        [sys.executable, "-c", SHOW],
        env=kept | {"HOME": str(home)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_with_nothing_set_everything_is_below_the_home_and_keys_are_apart_from_data(tmp_path: Path) -> None:
    data, keys, engine, name, limit, secret, debug = settings(tmp_path)
    assert data == f"{tmp_path}/.local/share/gatecrash"
    assert keys == f"{tmp_path}/.config/gatecrash"
    assert (engine, name) == ("django.db.backends.sqlite3", f"{data}/gatecrash.sqlite3")
    assert (limit, debug) == (1000, False)
    assert secret == settings(tmp_path)[5], "a restart keeps sessions"


@pytest.mark.parametrize(("given", "limit"), [("0", 0), ("", 1000), ("50", 50)])
def test_the_rate_limit_can_be_changed_and_switched_off(given: str, limit: int, tmp_path: Path) -> None:
    assert settings(tmp_path, GATECRASH_RATE_LIMIT=given)[4] == limit


def test_what_is_set_is_taken(tmp_path: Path) -> None:
    found = settings(
        tmp_path,
        GATECRASH_DATA_DIR=str(tmp_path / "d"),
        GATECRASH_KEY_DIR=str(tmp_path / "k"),
        GATECRASH_DATABASE_URL="postgresql://u:p@h/n",
        GATECRASH_SECRET_KEY="given",
    )
    assert found[:4] == [str(tmp_path / "d"), str(tmp_path / "k"), "django.db.backends.postgresql", "n"]
    assert found[5] == "given"
