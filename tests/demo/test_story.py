"""The story does not wait for ever, and trusts no run that could not look; `test_demo.py` tells it for real."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from gatecrash.demo import story
from gatecrash.demo.launch import Service


class Nothing:
    """A service whose inventory stays empty."""

    def get(self, path: str, **params: object) -> dict[str, Any]:
        raise AssertionError(path)

    def post(self, path: str, document: Mapping[str, Any] | None = None) -> dict[str, Any]:
        raise AssertionError(path)

    def pages(self, path: str, limit: int | None = None, offset: int | None = None, **params: object) -> dict[str, Any]:
        assert path == "/v1/endpoints"
        return {"objects": [], "total": 0}


class Idle:
    """A street on which nobody walks."""

    def everyday(self) -> int:
        return 0


def test_what_does_not_come_is_named_with_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story, "DETECTION_SECONDS", 0.0)
    service = Service("http://a", "http://p", "t", "cl_1", Path("the.log"), "o@x", "p")
    told = story.Story(Console(file=io.StringIO()), Nothing(), service, "http://t", lambda _: {})
    with pytest.raises(
        story.Stuck, match=r"in vain for these to come up in the inventory: GET /health, POST /login, .*the\.log"
    ):
        told._day(Idle())  # type: ignore[arg-type]


def test_a_run_that_could_not_look_deviates() -> None:
    assert story._unsound({"state": "failed", "baseline_check_tech_fail_count": 0}) == []
    assert len(story._unsound({"state": "interrupted", "baseline_check_tech_fail_count": 2})) == 2
