"""A PostgreSQL server of the tests' own: made in a scratch folder, on loopback, gone with the tests."""

import os
import pwd
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from gatecrash.cli.tree.ports import free_port

# Durability is not what these tests look at; kill tests kill the service, never the database server.
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=400")


def binaries() -> Path | None:
    """The folder with initdb and postgres: the newest of Debian's layout, or the one on the path."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name), reverse=True):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found and shutil.which("postgres") else None


class Cluster:
    """A running server; `url` has no database name."""

    def __init__(self, home: Path) -> None:
        folder = binaries()
        assert folder is not None
        self.home = home
        home.mkdir(parents=True)
        self._as: list[str] = []
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            owner = pwd.getpwnam("postgres")
            os.chown(home, owner.pw_uid, owner.pw_gid)
            home.parent.chmod(0o755)
            self._as = ["runuser", "-u", "postgres", "--"]
        self._ctl = [*self._as, str(folder / "pg_ctl"), "-D", str(home / "data"), "-w", "-t", "60"]
        self._run(
            [
                *self._as,
                str(folder / "initdb"),
                "-D",
                str(home / "data"),
                "-U",
                "gatecrash",
                "-A",
                "trust",
                "-N",
                "-E",
                "UTF8",
                "--locale=C",
            ]
        )
        port = free_port()
        options = f"-p {port} -k {home} -c listen_addresses=127.0.0.1 " + " ".join(f"-c {option}" for option in FAST)
        self._run([*self._ctl, "-l", str(home / "log"), "-o", options, "start"])
        self.url = f"postgresql://gatecrash@127.0.0.1:{port}"

    def stop(self) -> None:
        """End the server at once; nothing in it is worth a clean shutdown."""
        self._run([*self._ctl, "-m", "immediate", "stop"])

    @staticmethod
    @contextmanager
    def database(url: str, template: str = "template1") -> Iterator[str]:
        """A new database on the server, empty or like another, dropped afterwards whoever is still connected."""
        name = Cluster.create(url, f"t_{secrets.token_hex(8)}", template)
        try:
            yield f"{url}/{name}"
        finally:
            with psycopg.connect(f"{url}/postgres", autocommit=True) as admin:
                admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")  # type: ignore[call-overload]

    @staticmethod
    def create(url: str, name: str, template: str = "template1") -> str:
        """Make a database of this name on the server, empty or like another that nobody is connected to."""
        with psycopg.connect(f"{url}/postgres", autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name} TEMPLATE {template}")  # type: ignore[call-overload]
        return name

    def _run(self, command: list[str]) -> None:
        """Run one of PostgreSQL's commands; its words are shown where it fails."""
        done = subprocess.run(
            command,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{command[-1]} failed: {done.stdout}")
