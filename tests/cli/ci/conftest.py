"""A small application with one flaw, for the steps of a pipeline to record and test."""

from collections.abc import Iterator

import pytest

from gatecrash.demo.launch import target


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with target() as address:
        yield address
