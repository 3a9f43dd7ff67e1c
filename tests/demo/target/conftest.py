"""The tea shop as a process of its own, a visitor of it, and a signed-in customer."""

import json
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest
from tests.plain_http import PLAIN

from gatecrash.demo.target.store import USERS


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, "-m", "gatecrash.demo.target"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.communicate(timeout=60)
    assert process.returncode == 0, "the shop ends when its standard input closes"


@pytest.fixture(scope="module")
def visitor(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, **PLAIN) as client:
        yield client


@pytest.fixture(scope="module")
def ada(address: str, visitor: httpx.Client) -> Iterator[httpx.Client]:
    login, password = USERS[0]
    token = visitor.post("/login", json={"login": login, "password": password}).json()["token"]
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, **PLAIN) as client:
        yield client
