"""The node of a pipeline's step: a process of its own that lives as long as the step, and not a moment longer."""

import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from gatecrash.cli.api import Api
from gatecrash.cli.ci.variables import Variables
from gatecrash.cli.node import state_dir
from gatecrash.cli.oob_options import THIS_MACHINE
from gatecrash.core.errors import GatecrashError, UserError
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.oob.settings import settings_of
from gatecrash.node.settings import NodeSettings, encode
from gatecrash.node.tls.authority import CERTIFICATE_FILE, KEY_FILE, CertificateAuthority

# Starting Python and saying hello takes about a second; a loaded build machine may need ten times that.
START_SECONDS = 60.0
STOP_SECONDS = 20.0
LOOK_SECONDS = 0.2


class NodeFailed(GatecrashError):
    """The step's node did not start, or ended before its time."""


@dataclass(frozen=True)
class CiNode:
    """A running node. id: as the service knows it. proxy: the address that traffic goes through."""

    id: str
    proxy: str
    process: "subprocess.Popen[bytes]"

    def check(self) -> None:
        """Raise NodeFailed where it has ended."""
        if self.process.poll() is not None:
            raise NodeFailed(f"The node ended with {self.process.returncode}; the lines above say why.")


@contextmanager
def ci_node(api: Api, variables: Variables, proxy_listen: str, upstream: str | None = None) -> Iterator[CiNode]:
    """Start a node and wait until the service knows it; stop it at the end.

    BUILD_ID names it: steps of one build that share it take each other's place. Without one each step has its own.
    """
    allowed = variables.text("ALLOWED_HOSTS") or ""
    AllowedHosts(allowed)  # a mistake in it is told before anything is started
    build = variables.text("BUILD_ID") or f"ci-{secrets.token_hex(8)}"
    with tempfile.TemporaryDirectory(prefix="gatecrash-ci-") as folder:
        address = Path(folder) / "address"
        lend_authority(Path(folder))
        settings = NodeSettings(
            api=api.settings.api,
            token=api.settings.token,
            spool_dir=Path(folder),
            name="ci",
            build_id=build,
            proxy_listen=proxy_listen,
            upstream=upstream,
            upstream_proxy=variables.text("GATECRASH_UPSTREAM_PROXY") or None,
            workers=variables.number("WORKERS", 1, 1000) or 10,
            processes=variables.number("PROCESSES", 1, 64) or 1,
            allowed_hosts=allowed,
            insecure=api.settings.insecure,
            end_with_parent=True,
            address_file=address,
            oob=settings_of(THIS_MACHINE),
        )
        process = _started(settings)
        try:
            yield _await(api, process, build, address)
        finally:
            _stop(process)


def lend_authority(folder: Path) -> None:
    """Give the step's node the CA that `gatecrash node ca` prints, which the step's own tests trust already."""
    kept = state_dir(None)
    # A home that cannot be written to has no such CA; the node then makes one for itself and its log says where.
    with suppress(UserError, OSError):
        CertificateAuthority.open(kept)
        for name in (KEY_FILE, CERTIFICATE_FILE):
            shutil.copy2(kept / name, folder / name)


def _started(settings: NodeSettings) -> "subprocess.Popen[bytes]":
    """The process; its settings go through a pipe, since arguments and environment can be seen by others.

    A signal to the step's whole process group (Ctrl-C, `timeout`) ends the step, which then ends the node in order.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "gatecrash.node"],
        stdin=subprocess.PIPE,
        stdout=sys.stderr.fileno(),
        start_new_session=True,
    )
    assert process.stdin is not None
    try:
        process.stdin.write(encode(settings))
        process.stdin.close()
    except BrokenPipeError:
        pass  # it ended at once; whoever waits for it says so
    return process


def _await(api: Api, process: "subprocess.Popen[bytes]", build: str, address: Path) -> CiNode:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise NodeFailed(f"The node ended with {process.returncode}; the lines above say why.")
        if address.exists() and address.read_text().strip():
            found = [one for one in api.pages("/v1/nodes")["objects"] if one["build_id"] == build and one["connected"]]
            if found:
                return CiNode(str(found[0]["id"]), address.read_text().strip(), process)
        time.sleep(LOOK_SECONDS)
    raise NodeFailed(f"The node did not reach the service within {START_SECONDS:g} s; the lines above may say why.")


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
