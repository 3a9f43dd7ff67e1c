"""The shop as a process: it says where it is, and ends with whoever started it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
from tests.plain_http import PLAIN

from gatecrash.demo.target.files import LEAFLETS


def test_it_ends_when_its_standard_input_closes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gatecrash.demo.target"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as shop:
        assert shop.stdout is not None
        address = json.loads(shop.stdout.readline())["address"]
        assert address.startswith("http://127.0.0.1:"), "it holds flaws: loopback only"
        with httpx.Client(base_url=address, **PLAIN) as client:
            assert client.get("/health").json() == {"healthy": True}
            [folder] = tmp_path.iterdir()
            assert sorted(file.name for file in folder.iterdir()) == sorted(LEAFLETS)
            shop.communicate()  # its client still keeps the connection
    assert shop.returncode == 0
    assert list(tmp_path.iterdir()) == [], "its scratch folder is gone"
