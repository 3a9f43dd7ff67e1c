"""The shop as a process: it says where it is, and ends with whoever started it."""

import json
import subprocess
import sys

import httpx


def test_it_ends_when_its_standard_input_closes() -> None:
    command = [sys.executable, "-m", "gatecrash.demo.target"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shop:
        assert shop.stdout is not None
        address = json.loads(shop.stdout.readline())["address"]
        assert address.startswith("http://127.0.0.1:"), "it holds flaws: loopback only"
        assert httpx.get(f"{address}/health", trust_env=False).json() == {"healthy": True}
        shop.communicate()
    assert shop.returncode == 0
