"""A real nginx with the configuration of deploy/nginx, on free ports in a folder of its own."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gatecrash.cli.tree.ports import free_port

DEPLOY = Path(__file__).resolve().parents[2] / "deploy" / "nginx"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")

CONF = """
daemon off;
master_process on;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    keepalive_requests 1000000;
    include {folder}/gatecrash-log.conf;
    {mirror}
    server {{
        listen 127.0.0.1:{port};
        location /plain/ {{ add_header WWW-Authenticate 'Basic realm="x"'; return 200 "ok"; }}
        location /refused/ {{ add_header WWW-Authenticate 'Basic realm="x"' always; return 401; }}
    }}
    server {{
        listen 127.0.0.1:{mirrored_port};
        access_log {folder}/gatecrash.log gatecrash;
        {location}
        location / {{ root {folder}/www; try_files /index.html =404; }}
        location /refused/ {{ add_header WWW-Authenticate 'Basic realm="x"' always; return 401; }}
    }}
}}
"""


@dataclass(frozen=True)
class Nginx:
    """Where it listens: without the mirror, and with it; and its access log."""

    plain: str
    mirrored: str
    log: Path
    pid: int

    def reopen(self) -> None:
        """As logrotate tells it to."""
        os.kill(self.pid, signal.SIGUSR1)


@contextmanager
def nginx(
    folder: Path, collector_port: int | None, patience: str = "50ms", backup: Path | None = None
) -> Iterator[Nginx]:
    """A running nginx that mirrors to this port; without one it only writes its log.

    patience: how long it waits for the collector. As deployed it gives up before a busy machine may answer, and loses the copy.
    backup: the socket that copies go to while the collector is left alone, instead of nginx's own.
    """
    assert NGINX is not None
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    (folder / "www").mkdir()
    (folder / "www" / "index.html").write_text("ok")
    port, mirrored_port = free_port(), free_port()
    shutil.copy(DEPLOY / "gatecrash-log.conf", folder)
    mirror = location = ""
    if collector_port is not None:
        text = (DEPLOY / "gatecrash-mirror.conf").read_text()
        # A socket's path has 107 bytes at most, and a test's folder may be longer.
        text = text.replace("/run/nginx-gatecrash-nobody.sock", f"/tmp/gatecrash-{mirrored_port}.sock")
        if backup is not None:
            text = text.replace(f"server unix:/tmp/gatecrash-{mirrored_port}.sock", f"server unix:{backup}")
        mirror = text.replace("127.0.0.1:8081", f"127.0.0.1:{collector_port}")
        location = (DEPLOY / "gatecrash-mirror-location.conf").read_text().replace("50ms", patience)
    conf = folder / "nginx.conf"
    conf.write_text(
        CONF.format(folder=folder, port=port, mirrored_port=mirrored_port, mirror=mirror, location=location)
        if os.getuid()
        else "user root;\n"
        + CONF.format(folder=folder, port=port, mirrored_port=mirrored_port, mirror=mirror, location=location)
    )
    with subprocess.Popen([NGINX, "-c", str(conf), "-p", str(folder)], stderr=subprocess.PIPE, text=True) as process:
        try:
            _await(process, mirrored_port)
            yield Nginx(
                f"http://127.0.0.1:{port}", f"http://127.0.0.1:{mirrored_port}", folder / "gatecrash.log", process.pid
            )
        finally:
            process.terminate()
            process.wait(60)


def _await(process: "subprocess.Popen[str]", port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            assert process.stderr is not None
            raise AssertionError(f"nginx did not start: {process.stderr.read()}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError("nginx does not listen")
