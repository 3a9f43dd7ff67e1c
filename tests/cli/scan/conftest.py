from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.cli.capturing import Browser, har, shop
from tests.cli.scan.scanning import Listener, Scan, scanned


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shop() as started:
        yield started


@pytest.fixture(scope="module")
def entries(address: str) -> list[dict[str, Any]]:
    """Every operation of the shop once."""
    with Browser(address) as browser:
        browser.tour()
        return browser.entries


@pytest.fixture
def scan(entries: list[dict[str, Any]], tmp_path: Path) -> Scan:
    """Scan the tour, or other entries."""

    def call(*options: str, of: list[dict[str, Any]] | None = None) -> Result:
        return scanned(har(entries if of is None else of, tmp_path / "session.har"), *options)

    return call
